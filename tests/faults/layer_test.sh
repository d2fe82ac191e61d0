#!/bin/sh
# The layer of faults intercepts all that the library calls, in both ways of loading it, and does what it is told.
#   layer_test.sh LIBRARY LAYER COMMAND
set -eu
library=$1 layer=$2 tessera=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
fail() {
  echo "FAILED  $1"
  exit 1
}

nm -D --undefined-only "$library" | sed -n 's/.* \(cl[A-Z][A-Za-z]*\)\(@.*\)*$/\1/p' | sort -u > "$work/used"
nm -D --defined-only "$layer" | sed -n 's/.* \(cl[A-Z][A-Za-z]*\)$/\1/p' | grep -v '^cl\(GetLayerInfo\|InitLayer.*\)$' |
  sort -u > "$work/intercepted"
missing=$(comm -23 "$work/used" "$work/intercepted")
[ "$(wc -l < "$work/used")" -gt 40 ] || fail "the library uses $(wc -l < "$work/used") functions of OpenCL, it seems"
[ -z "$missing" ] || fail "not intercepted: $missing"

# A product with these faults: its status is in $status, what it said in $work/said.
multiply() {
  rm -f "$work/c.npy"
  status=0
  env "$way=$layer" TESSERA_FAULTS="$1" TESSERA_FAULTS_REPORT="${2:-/dev/null}" \
    "$tessera" multiply ones:3x4 ones:4x5 --kernel tiled_static -o "$work/c.npy" > "$work/said" 2>&1 || status=$?
}
ends_with() {
  [ "$status" -eq "$1" ] || fail "$way: status $status in place of $1: $(cat "$work/said")"
}

way=none multiply ""
ends_with 0
cp "$work/c.npy" "$work/right.npy"
# Older loaders have no layers.
loader=$(ldd "$library" | sed -n 's/.*libOpenCL[^ ]* => \([^ ]*\) .*/\1/p')
[ -f "$loader" ] || fail "no loader of OpenCL among what $library needs"
ways=LD_PRELOAD
if grep -q OPENCL_LAYERS "$loader"; then ways="OPENCL_LAYERS LD_PRELOAD"; fi
for way in $ways; do
  multiply "" "$work/$way"
  ends_with 0
  sed -n 's/^\(cl[A-Za-z]*\) .*/\1/p' "$work/$way" | cmp -s - "$work/intercepted" || fail "$way: not all are counted"
  grep -q '^clEnqueueNDRangeKernel [1-9]' "$work/$way" || fail "$way: no kernel was counted"
  grep -q '^unreleased $' "$work/$way" || fail "$way: $(grep '^unreleased' "$work/$way")"

  # The last ones are the product's, those before may ask what the device can do.
  kernel=clEnqueueNDRangeKernel:$(sed -n 's/^clEnqueueNDRangeKernel //p' "$work/$way")
  multiply call=$kernel:-54
  ends_with 4
  grep -q 'clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE' "$work/said" || fail "$way: $(cat "$work/said")"
  multiply "call=clCreateBuffer:$(sed -n 's/^clCreateBuffer //p' "$work/$way")"
  ends_with 4
  grep -q 'clCreateBuffer: CL_OUT_OF_RESOURCES' "$work/said" || fail "$way: $(cat "$work/said")"
  multiply command=$kernel
  ends_with 4
  multiply lost=1
  ends_with 4
  [ ! -e "$work/c.npy" ] || fail "$way: a lost device gave a product"
  multiply stall=clEnqueueNDRangeKernel:1:10,stall=clWaitForEvents:1:10
  ends_with 0
  cmp -s "$work/c.npy" "$work/right.npy" || fail "$way: a wrong product after a stall"
  for wrong in call=clNothing:1 call=clFinish:x random=1:0 lost nothing=1; do
    multiply $wrong
    ends_with 2
    grep -q '^TESSERA_FAULTS: ' "$work/said" || fail "$way: $wrong: $(cat "$work/said")"
  done
done

# A device that does not respond is not one that there never was.
export POCL_DEVICES="pthread pthread"
if "$tessera" devices --device 0:1 > /dev/null 2>&1; then
  for number in 20 25 30 35 40 45; do
    env LD_PRELOAD="$layer" TESSERA_FAULTS=call=clGetDeviceInfo:$number \
      "$tessera" devices --device 0:1 >> "$work/devices" 2>&1 || true
  done
  grep -q 'no device "0:1".*clGetDeviceInfo: CL_OUT_OF_RESOURCES' "$work/devices" || fail "$(cat "$work/devices")"
fi
unset POCL_DEVICES

# At random, an error or the right product, and no file that is half of one.
failed=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  multiply random=$seed:300
  case $status in
    0) cmp -s "$work/c.npy" "$work/right.npy" || fail "seed $seed: a wrong product" ;;
    3 | 4) failed=$((failed + 1)) ;;
    *) fail "seed $seed: status $status: $(cat "$work/said")" ;;
  esac
  left=$(ls "$work" | grep '^c\.npy' || true)
  [ "$status:$left" = 0:c.npy ] || [ -z "$left" ] || fail "seed $seed: status $status left $left"
done
[ "$failed" -ge 1 ] || fail "none of 12 failed at random"
echo "ok      by $ways: $(wc -l < "$work/used") functions, $failed of 12 products failed at random, none was wrong"
