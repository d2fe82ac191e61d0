#!/bin/sh
# Lane: every variant that oclgrind supports runs in this simulator, which detects races, uninitialised reads and
# accesses outside of buffers.
#   oclgrind.sh                    all variants, one per processor at a time
#   oclgrind.sh OPERATION/VARIANT  one
#   oclgrind.sh eigen/METHOD       a solve by one of the methods
. "$(dirname "$0")/lane.sh"
need OCLGRIND 'command -v oclgrind' from_apt oclgrind

if [ $# -eq 0 ]; then
  build/tools/tessera devices | head -1
  results=$work/results
  status=0
  { build/tools/tessera devices | sed -n 's|^ *\([a-z_]*/[a-z0-9_]*\) .*|\1|p' | sort -u
    printf 'eigen/%s\n' implicit fused explicit; } | xargs -n 1 -P "$(nproc)" tests/lanes/oclgrind.sh > "$results" || status=1
  cat "$results"
  echo "ran $(grep -c '^\(ok\|FAILED\)' "$results") checks, skipped $(grep -c '^skipped' "$results" || true)"
  exit $status
fi

log=$work/log report=$work/report
operation=${1%/*} variant=${1#*/}
watch=--uninitialized settings= largest=17 types=all real_types="float double int32 half bfloat16 int8"
case $1 in
  # The simulator does not track values in images that a kernel writes, nor beyond the first 32 KiB of a buffer.
  multiply/image | multiply/packed) watch= ;;
  # It needs minutes for the default tiles, for each complex type, and for each type of the two largest kernels.
  multiply/tiled_static) settings="--set TILE=8" types=$real_types ;;
  multiply/tiled_dynamic) types="$real_types complex64" ;;
  multiply/naive) types=$real_types ;;
  multiply/register_tiled) settings="--set TILE_M=32 --set TILE_N=32 --set TILE_K=8 --dtype float" largest=33 ;;
  multiply/sliced_k) settings="--set TILE_M=16 --set TILE_N=16 --set TILE_K=16 --set SLICES=2 --dtype float" ;;
esac
# Programs are not optimised because the simulator lacks some instructions that an optimiser generates. This lane checks
# each kernel by itself, so solves need not check them.
simulate() {
  TESSERA_CACHE=off TESSERA_SELF_CHECK=off oclgrind --build-options -cl-opt-disable --local-mem-size 49152 --data-races --check-api \
    --max-errors 20 --log "$log" $watch build/tools/tessera "$@" > "$report" 2> /dev/null
}
status=0
if [ "$operation" = eigen ]; then
  if simulate eigen hilbert:17 --method "$variant"; then echo "ok      $1"; else echo "FAILED  $1"; status=1; fi
else
  for type in $types; do
    [ "$type" = all ] || type="--dtype $type"
    # A variant that does not run with any type is skipped, not failed.
    simulate check --operation "$operation" --variant "$variant" $settings ${type#all} --largest "$largest" ||
      grep -q '^0 ok, 0 failed' "$report" || status=1
    sed -n '/^\(ok\|FAILED\|skipped\|  \)/p' "$report"
    [ ! -s "$log" ] || break
  done
fi
if [ "$1" = multiply/packed ] && [ ! -s "$log" ]; then  # a product whose scratch memory is tracked
  watch=--uninitialized
  simulate multiply random:17x19 random:19x17:2 --dtype float --kernel packed || status=1
fi
if [ -s "$log" ]; then
  echo "FAILED  $1: the simulator reports"
  cat "$log"
  status=1
fi
exit $status
