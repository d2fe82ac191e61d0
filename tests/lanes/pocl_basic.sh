#!/bin/sh
# Lane: the tests on PoCL's device "basic" of this system, which has no threads of its own.
#   pocl_basic.sh    with build/ as tools/build.sh leaves it
# It omits the tests in which the application sets a user event that a command waits for: PoCL 3.1's
# clSetUserEventStatus never returns on this device. It also omits solves by threads that act as ranks: if one thread's
# command ends while another thread enqueues a command that waits for it, PoCL 3.1 locks an event twice.
. "$(dirname "$0")/lane.sh"
build=${TESSERA_BUILD:-build}
export POCL_DEVICES=basic TESSERA_PROFILE=off TESSERA_SHARE="${TESSERA_SHARE:-1/16}"

"$build/tools/tessera" devices | head -2
"$build/tools/tessera" devices | grep basic > /dev/null || skip 'NO DEVICE "basic"'
for example in quickstart batches elementwise own_kernel priorities; do run "$build/tests/$example"; done
run "$build/tools/tessera" multiply random:700x300 random:300x900 --verify
for method in implicit fused explicit; do run "$build/tools/tessera" eigen hilbert:500 --method $method; done
run "$build/tools/tessera" check --largest 64
run "$build/tests/runtime-tests" --gtest_filter='-EngineTest.*:QueueTest.*:Interop*:SubmissionTest.A*:*Gate*'
run "$build/tests/kernels-tests" --gtest_filter='FirstUse*:Plan*:SelfCheck*-SelfCheckTest.Does*'
run "$build/tests/multiply-tests"
run env GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=0 "$build/tests/eigen-tests" --gtest_filter='-*Distributed*'
