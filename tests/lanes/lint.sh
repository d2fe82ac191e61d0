#!/bin/sh
# Lane: cppcheck finds nothing in the library and the command but what tests/lanes/cppcheck.txt argues away, and the
# benchmarks, which the other lanes leave out, can be built.
#   lint.sh        needs cppcheck and Google Benchmark
#   lint.sh all    so does clang-tidy 16, with clang's analyzer, by .clang-tidy: half an hour of a processor's time;
#                  leaves build-tidy/. GCC's -fanalyzer is for C: in C++ it reports the standard library's trees.
# Where a program cannot be had, says so, and ends with status 77: skipped.
set -eu
cd "$(dirname "$0")/../.."
form=${1:-short}
try_install() { { apt-get update -q && apt-get install -y -q --no-install-recommends "$@"; } > /dev/null 2>&1 || true; }
need() {
  if command -v "$1" > /dev/null; then return; fi
  try_install "$@"
  if command -v "$1" > /dev/null; then return; fi
  echo "$1 CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
  exit 77
}

need cppcheck
cppcheck --quiet --error-exitcode=1 --std=c++20 --enable=warning,performance,portability --inline-suppr \
  --suppressions-list=tests/lanes/cppcheck.txt -j "$(nproc)" -I include -I lib -I tools/tessera lib tools/tessera
files=$(find lib tools/tessera -name '*.cpp' | sort)
number=$(echo "$files" | wc -l)
echo "ok      cppcheck on $number files"

header=/usr/include/benchmark/benchmark.h
[ -e $header ] || try_install libbenchmark-dev
if [ ! -e $header ]; then
  echo "Google Benchmark CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
  exit 77
fi
TESSERA_TARGET=tessera-bench tools/build.sh -DTESSERA_WERROR=ON -DTESSERA_BUILD_BENCH=ON
benchmarks=$(build/tools/tessera-bench --benchmark_list_tests)
cmake --preset release -DTESSERA_BUILD_BENCH=OFF > /dev/null  # for other builds there
echo "ok      $(echo "$benchmarks" | wc -l) benchmarks"
[ "$form" = all ] || exit 0

need clang-tidy-16 clang-16
tools/install_dependencies.sh
cmake -S . -B build-tidy -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! echo "$files" | xargs -n 4 -P "$(nproc)" clang-tidy-16 -p build-tidy --quiet '--warnings-as-errors=*' > "$log" 2>&1
then
  cat "$log"
  exit 1
fi
echo "ok      clang-tidy on $number files"
