#!/bin/sh
# Lane: this system's PoCL on its device "basic", which has no thread of its own.
#   pocl_basic.sh    with build/ as tools/build.sh leaves it
# Left out are tests in which the application sets a user event that a command waits for: PoCL 3.1's clSetUserEventStatus
# never returns there, whoever calls it.
set -eu
cd "$(dirname "$0")/../.."
build=${TESSERA_BUILD:-build}
export POCL_DEVICES=basic TESSERA_PROFILE=off TESSERA_SHARE="${TESSERA_SHARE:-1/16}"

run() {
  echo "== $*"
  timeout 600 "$@" > "$log" 2>&1 || { cat "$log"; exit 1; }
  tail -1 "$log"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$build/tools/tessera" devices | head -2
case $("$build/tools/tessera" devices) in
  *basic*) ;;
  *) echo "NO DEVICE \"basic\" ON THIS MACHINE: the lane is skipped"; exit 77 ;;
esac
for example in quickstart batches elementwise own_kernel priorities; do run "$build/tests/$example"; done
run "$build/tools/tessera" multiply random:700x300 random:300x900 --verify
for method in implicit fused explicit; do run "$build/tools/tessera" eigen hilbert:500 --method $method; done
run "$build/tools/tessera" check --largest 64
run "$build/tests/runtime-tests" --gtest_filter='-EngineTest.*:QueueTest.*:Interop*:*Gate*'
run "$build/tests/kernels-tests" --gtest_filter='FirstUse*:Plan*:SelfCheck*-SelfCheckTest.Does*'
run "$build/tests/multiply-tests"
run env GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=0 "$build/tests/eigen-tests"
