#!/bin/sh
# Lane: cppcheck finds nothing in the library and the command but what tests/lanes/cppcheck.txt argues away, clang-tidy 16
# with clang's analyzer nothing by .clang-tidy, and the benchmarks, which the other lanes leave out, can be built.
#   lint.sh [SEED]    clang-tidy reads six files of the library, drawn by the seed
#   lint.sh all       it reads every file, and GCC's analyzer every file of the library: an hour of a processor's time
# Leaves build-tidy/. Where a program cannot be had, says so, and ends with status 77: skipped.
set -eu
cd "$(dirname "$0")/../.."
form=${1:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
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

need clang-tidy-16 clang-16
tools/install_dependencies.sh
cmake -S . -B build-tidy -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null  # nothing is built there
tidied=$files what="$number files"
if [ "$form" != all ]; then
  # A file's hash with the seed is its place in the draw.
  tidied=$(find lib -name '*.cpp' | while read -r file; do echo "$(echo "$form $file" | sha256sum) $file"; done |
    sort | head -n 6 | cut -d ' ' -f 4)
  what="6 files of seed $form: $(echo $tidied)"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! echo "$tidied" | xargs -n 1 -P "$(nproc)" clang-tidy-16 -p build-tidy --quiet '--warnings-as-errors=*' > "$log" 2>&1
then
  cat "$log"
  exit 1
fi
echo "ok      clang-tidy on $what"
[ "$form" = all ] || exit 0

# GCC's analyzer is made for C. Of C++ it judges what is freed or closed twice, used after that, or left open; GCC 12
# knows no descriptors yet. It does without these, for what they say of right code:
#   malloc-leak                      it follows no exceptions and few destructors
#   null-dereference, null-argument  it takes operator new for a function that may return null
#   use-of-uninitialized-value       it loses sight of objects that functions return
# The factor keeps a file to 2 GiB and a minute, and loses no fault that was planted.
analyze='g++ -std=c++20 -O1 -fanalyzer --param analyzer-bb-explosion-factor=1 -Werror -Wno-analyzer-malloc-leak \
  -Wno-analyzer-null-dereference -Wno-analyzer-possible-null-dereference -Wno-analyzer-null-argument \
  -Wno-analyzer-possible-null-argument -Wno-analyzer-use-of-uninitialized-value -I include -I lib \
  -isystem /usr/include/eigen3 -DEIGEN_MPL2_ONLY -DEIGEN_DONT_VECTORIZE -c -o /dev/null "$0"'
sources=$(find lib -name '*.cpp' | sort)
if ! echo "$sources" | xargs -n 1 -P "$(nproc)" sh -c "$analyze" > "$log" 2>&1; then
  cat "$log"
  exit 1
fi
echo "ok      GCC's analyzer on $(echo "$sources" | wc -l) files"
