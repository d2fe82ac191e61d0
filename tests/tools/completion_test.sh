#!/bin/bash
# usage: completion_test.sh COMMAND COMPLETION: what bash completes after the words of a command line.
set -eu
command=$1
. "$2"
failed=0
expect() {  # the last word is the one that is being completed
  local wanted=$1
  shift
  COMP_WORDS=(tessera "$@") COMP_CWORD=$# COMPREPLY=()
  _tessera "$command"
  [ "${COMPREPLY[*]}" = "$wanted" ] || { echo "tessera $*: ${COMPREPLY[*]}, not $wanted"; failed=1; }
}
expect "devices" dev
expect "check cache" c
expect "--version" --v
expect "--budget" tune --bu
expect "--batch --budget" tune multiply --b
expect "multiply" tune mul
expect "show" profile s
expect "--device" profile show --de
expect "--output --out-dtype" multiply a.npy b.npy --o
expect "--output" multiply a.npy b.npy --outp
expect "" multiply a.n  # a file
expect "implicit fused explicit" eigen hilbert:4 --method ""
expect "--method=explicit" eigen --method=e  # as if COMP_WORDBREAKS had no "="
expect "float" tune --dtype fl
expect "tiled_static tiled_dynamic" multiply a.npy b.npy --kernel tiled
expect "matrix_vector" check --operation mat
expect "0:0" devices --device 0:0
expect "0" devices --device 0 : 0  # bash replaces what follows the colon
expect "" blas python3 --re
expect "--report" blas --re
expect "" "no such command" ""
exit $failed
