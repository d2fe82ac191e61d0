#!/bin/sh
# libtessera-blas in front of a BLAS that counts: with a device, without one, and while OpenCL calls fail.
#   front_test.sh CLIENT WIDE_CLIENT CLIENT_WITHOUT_NEXT LIBRARY FAULTS COMMAND
set -eu
client=$1 wide_client=$2 client_without_next=$3 library=$4 faults=$5 command=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CACHE_HOME="$work/cache" TESSERA_PROFILE=off LD_PRELOAD="$library"
# expect ROUTE SETTINGS [VARIABLE=VALUE...]
expect() {
  route=$1 settings=$2
  shift 2
  rm -f "$work/report"
  if ! env TESSERA_BLAS="$settings" TESSERA_BLAS_REPORT="$work/report" "$@" timeout 120 "$client" "$route" > "$work/log" 2>&1; then
    echo "$settings $*:"
    cat "$work/log"
    exit 1
  fi
  echo "$settings $*: $(cat "$work/report" 2> /dev/null | tr '\n' ' ')"
}
expect device wait,min=1
devices=$(sed -n 's/sgemm device //p' "$work/report")
for type in s d c z; do  # 361 products, and products of other routines
  [ "$(sed -n "s/${type}gemm device //p" "$work/report")" -gt 1000 ]
done
expect next off
[ ! -e "$work/report" ]
expect next off TESSERA_BLAS_REPORT=-
grep -q 'no product was counted' "$work/log"
[ -z "$(TESSERA_BLAS_REPORT=- /bin/true 2>&1)" ]
expect either on
# A next BLAS whose integers have 64 bits under the names that others use with 32.
client=$wide_client expect device wait,min=1
# No next BLAS: plain loops.
client=$client_without_next expect either off
client=$client_without_next expect either wait,min=20
# The figures are measured once, and read afterwards.
expect either wait
grep -q '^cgemm next' "$work/report"  # one has few columns
[ "$(find "$work/cache/tessera" -name 'blas-*' | wc -l)" = 4 ]
measured=$(cat "$work/cache/tessera"/blas-*)
expect either wait
[ "$(cat "$work/cache/tessera"/blas-*)" = "$measured" ]
expect next wait,min=1 OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES= POCL_DEVICES=none
grep -q 'the device failed a small product' "$work/log"
expect either min=1
expect device wait,min=1,nonsense
grep -q 'expected on, off, wait' "$work/log"
for seed in 1 2 3 4; do
  expect either wait,min=1 OPENCL_LAYERS="$faults" TESSERA_FAULTS="random=$seed:3000"
done
# A device that fails while C comes back: the next BLAS computes the columns that are not there. The last calls are for
# pieces of C.
pieces() { expect pieces wait,min=100,keep OPENCL_LAYERS="$faults" "$@"; }
pieces TESSERA_FAULTS_REPORT="$work/calls"
grep -q '^0 calls' "$work/log"
function=clEnqueueMapBuffer
grep -q "^$function " "$work/calls" || function=clEnqueueReadBuffer
number=$(sed -n "s/$function //p" "$work/calls" | tail -1)
for call in $number $((number - 1)) $((number - 17)); do
  pieces TESSERA_FAULTS=call=$function:"$call"
  grep -q '^1 calls' "$work/log"
  grep -q 'the next BLAS computes it' "$work/log"
done
# PoCL's devices can be made small.
export POCL_MEMORY_LIMIT=1
if env LD_PRELOAD= "$command" devices 2> /dev/null | grep -q ' 1\.0 GiB ('; then
  expect tiles wait,min=1
  [ "$(cat "$work/report")" = "zgemm device 1" ]
else
  echo "\$POCL_MEMORY_LIMIT has no effect: no product is computed in tiles"
fi
unset POCL_MEMORY_LIMIT

# The command finds the library.
rm -f "$work/report"
env LD_PRELOAD= "$command" blas --settings wait,min=1 --report "$work/report" "$client" device > /dev/null
grep -qx "sgemm device $devices" "$work/report"

# It says who answers, and passes the exit status on.
env LD_PRELOAD= "$command" blas --doctor --settings wait,min=1 "$client" device > /dev/null 2> "$work/log"
grep -q "libtessera-blas answers .*$(basename "$client") for .*dgemm_.* zherk_" "$work/log"
grep -q '[0-9] dgemm on the device' "$work/log"
grep -q '[0-9] dgemm by the next BLAS: an argument is invalid' "$work/log"
status=0
env LD_PRELOAD= "$command" blas --doctor sh -c 'exit 5' > /dev/null 2> "$work/log" || status=$?
[ "$status" = 5 ]
grep -q 'asks no shared library for a product' "$work/log"

# Nothing but the C library, and a program without BLAS opens nothing.
readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc\.so\.6|ld-linux.*)$' && exit 1
if command -v strace > /dev/null; then
  LD_PRELOAD= strace -f -E "LD_PRELOAD=$library" -o "$work/calls" /bin/true
  if grep -E 'libtessera_c|libOpenCL|clone' "$work/calls"; then
    echo "a program without BLAS opened these, or started a thread"
    exit 1
  fi
fi
