#!/bin/sh
# Lane: tests and threads with random operations, with and without failing OpenCL calls, under the sanitizers for
# addresses, leaks and undefined behaviour, then under the sanitizer for threads.
#   sanitizers.sh        the tests of failing commands and lost devices under the first ones, the tests of the
#                        runtime and of host products under the last one
#   sanitizers.sh all    the whole suite under both, a leak check of the examples, and a leak check while every sixth
#                        call fails: two hours or more
# Needs no more than tools/build.sh; leaves build-asan/ and build-tsan/.
. "$(dirname "$0")/lane.sh"
form=${1:-short} seconds=15 seed=$(random_seed)
[ "$form" = short ] || seconds=300
export TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
# LLVM sets its own signal stacks.
export ASAN_OPTIONS=use_sigaltstack=0:strict_string_checks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS="suppressions=$PWD/tests/lanes/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS="halt_on_error=1:suppressions=$PWD/tests/lanes/locks.txt"

tools/install_dependencies.sh
# build PRESET TARGET...: a unity build without optimisation, because most of the lane's time is spent compiling.
build() {
  preset=$1
  shift
  echo "Building with $preset"
  cmake --preset "$preset" -DCMAKE_UNITY_BUILD=ON "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g1" > /dev/null
  quietly cmake --build --preset "$preset" --parallel "$(nproc)" --target "$@"
}
# check PROGRAM...: prints one line, or all of the output if the program fails.
check() {
  quietly "$@"
  echo "ok      $(grep -E '^\[  PASSED|operations in|processes of|tests passed|every function' "$work/log" | tail -n 1): ${*#"$PWD/"}"
}
among_faults() {
  OPENCL_LAYERS=$PWD/$1/tests/libtessera-faults.so TESSERA_FAULTS=random=$seed:2000 "$1/tests/soak" "$seconds" "$seed" faults
}
soak() {
  export POCL_DEVICES="pthread pthread"
  check "$1/tests/soak" "$seconds" "$seed"
  check among_faults "$1"
  unset POCL_DEVICES
}

for preset in asan tsan; do
  if [ "$form" = short ]; then
    set -- soak first-use
    if [ $preset = tsan ]; then set -- "$@" runtime-tests host_product-tests; else set -- "$@" faults-tests c-client c_api-tests; fi
  else
    set -- all soak
  fi
  build $preset "$@"
  soak build-$preset
  if [ "$form" = short ]; then
    check build-$preset/tests/first-use
    if [ $preset = tsan ]; then
      check build-tsan/tests/runtime-tests
      TESSERA_SHARE=1/64 check build-tsan/tests/host_product-tests
    else
      check build-asan/tests/c-client
      # Objects leak if the call that releases them fails.
      ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 check build-asan/tests/c_api-tests
      ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 \
        check build-asan/tests/faults-tests '--gtest_filter=*LostDevice*:*EveryCommand*'
    fi
  else
    # Replayed tunings use one thread, and take hours under the sanitizer for threads.
    if [ $preset = tsan ]; then set -- --exclude-regex replay; else set --; fi
    check ctest --test-dir build-$preset --output-on-failure "$@"
    if [ $preset = asan ]; then  # only a call that fails to release an object may leak it
      TESSERA_FAULT_SKIP=clRelease TESSERA_SHARE=1/6 \
        check build-asan/tests/faults-tests '--gtest_filter=*EveryCallFailsOnce*'
    fi
  fi
done
