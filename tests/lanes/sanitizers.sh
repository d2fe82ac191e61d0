#!/bin/sh
# Lane: the sanitizers for addresses, leaks and undefined behaviour, then that for threads, watch threads that do random
# operations, the same while calls of OpenCL fail, and tests.
#   sanitizers.sh        the one for threads watches the tests of the runtime, the others those of failing commands
#                        and of lost devices
#   sanitizers.sh all    the whole suite with both, a leak check of the examples, and one while every sixth call fails:
#                        two hours or more
# Needs no more than tools/build.sh; leaves build-asan/ and build-tsan/.
set -eu
cd "$(dirname "$0")/../.."
form=${1:-short} seconds=15 seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
[ "$form" = short ] || seconds=300
TESSERA_CACHE=$(mktemp -d)
export TESSERA_PROFILE=off TESSERA_CACHE
# LLVM has signal stacks of its own.
export ASAN_OPTIONS=use_sigaltstack=0:strict_string_checks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS="suppressions=$PWD/tests/lanes/leaks.txt:print_suppressions=0" TSAN_OPTIONS=halt_on_error=1

tools/install_dependencies.sh
log=$(mktemp)
trap 'rm -rf "$log" "$TESSERA_CACHE"' EXIT
# All of it in batches and unoptimised: most of the time goes into compiling.
build() {
  preset=$1
  shift
  echo "Building with $preset"
  cmake --preset "$preset" -DCMAKE_UNITY_BUILD=ON "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g1" > /dev/null
  cmake --build --preset "$preset" --parallel "$(nproc)" --target "$@" > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
# A program with its arguments; what it says only if it fails, but for its last line.
check() {
  if "$@" > "$log" 2>&1; then
    echo "ok      $(grep -E '^\[  PASSED|operations in|processes of|tests passed' "$log" | tail -n 1): ${*#"$PWD/"}"
  else
    cat "$log"
    echo "FAILED  $*"
    exit 1
  fi
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
    if [ $preset = tsan ]; then set -- "$@" runtime-tests; else set -- "$@" faults-tests; fi
  else
    set -- all soak
  fi
  build $preset "$@"
  soak build-$preset
  if [ "$form" = short ]; then
    check build-$preset/tests/first-use
    if [ $preset = tsan ]; then
      check build-tsan/tests/runtime-tests
    else  # calls that fail lose what OpenCL is made not to release
      ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 \
        check build-asan/tests/faults-tests '--gtest_filter=*LostDevice*:*EveryCommand*'
    fi
  else
    # Replayed tunings are one thread's, and take hours with the sanitizer for several.
    if [ $preset = tsan ]; then set -- --exclude-regex replay; else set --; fi
    check ctest --test-dir build-$preset --output-on-failure "$@"
    if [ $preset = asan ]; then  # where OpenCL releases what it is told to, nothing else may stay either
      TESSERA_FAULT_SKIP=clRelease TESSERA_SHARE=1/6 \
        check build-asan/tests/faults-tests '--gtest_filter=*EveryCallFailsOnce*'
    fi
  fi
done
