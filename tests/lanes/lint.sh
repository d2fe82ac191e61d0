#!/bin/sh
# Lane: cppcheck (suppressions: tests/lanes/cppcheck.txt) and clang-tidy 16 with clang's analyzer (checks: .clang-tidy)
# report nothing in the library and the command. The benchmarks, which no other lane builds, compile. prose.py finds no
# more in documents, comments and messages than prose-baseline.txt allows.
#   lint.sh [SEED]    clang-tidy reads six files of the library, drawn by the seed
#   lint.sh all       clang-tidy reads every file, GCC's analyzer every file of the library: one hour of processor time
# Leaves build-tidy/.
. "$(dirname "$0")/lane.sh"
form=${1:-$(random_seed)}

export PYTHONDONTWRITEBYTECODE=1
quietly python3 tests/lanes/prose_test.py
python3 tests/lanes/prose.py

need ABIDIFF 'command -v abidiff' from_apt abigail-tools
quietly tests/c_api/abi_test.sh
echo "ok      $(tail -n 1 "$work/log")"

need CPPCHECK 'command -v cppcheck' from_apt cppcheck
cppcheck --quiet --error-exitcode=1 --std=c++20 --enable=warning,performance,portability --inline-suppr \
  --suppressions-list=tests/lanes/cppcheck.txt -j "$(nproc)" -I include -I lib -I tools/tessera lib tools/tessera
files=$(find lib tools/tessera -name '*.cpp' -not -path '*/windows/*' | sort)
number=$(echo "$files" | wc -l)
echo "ok      cppcheck on $number files"

need "GOOGLE BENCHMARK" '[ -e /usr/include/benchmark/benchmark.h ]' from_apt libbenchmark-dev
TESSERA_TARGET=tessera-bench tools/build.sh -DTESSERA_WERROR=ON -DTESSERA_BUILD_BENCH=ON
benchmarks=$(build/tools/tessera-bench --benchmark_list_tests)
cmake --preset release -DTESSERA_BUILD_BENCH=OFF > /dev/null  # for other builds there
echo "ok      $(echo "$benchmarks" | wc -l) benchmarks"

need "CLANG-TIDY 16" 'command -v clang-tidy-16' from_apt clang-tidy-16 clang-16
tools/install_dependencies.sh
cmake -S . -B build-tidy -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null  # nothing is built there
tidied=$files what="$number files"
if [ "$form" != all ]; then
  # The files are ordered by their hash with the seed.
  tidied=$(echo "$files" | grep '^lib/' | while read -r file; do echo "$(echo "$form $file" | sha256sum) $file"; done |
    sort | head -n 6 | cut -d ' ' -f 4)
  what="6 files of seed $form: $(echo $tidied)"
fi
echo "$tidied" | quietly xargs -n 1 -P "$(nproc)" clang-tidy-16 -p build-tidy --quiet '--warnings-as-errors=*'
echo "ok      clang-tidy on $what"
[ "$form" = all ] || exit 0

# GCC's analyzer is made for C. In C++ it finds memory and files that are freed or closed twice, used afterwards, or
# left open; GCC 12 does not track descriptors yet. These warnings are off because they report correct code:
#   malloc-leak                      the analyzer follows no exceptions and few destructors
#   null-dereference, null-argument  it assumes that operator new may return null
#   use-of-uninitialized-value       it does not follow objects that functions return
# The factor limits a file to 2 GiB and one minute. With it the analyzer still finds every planted defect.
analyze='g++ -std=c++20 -O1 -fanalyzer --param analyzer-bb-explosion-factor=1 -Werror -Wno-analyzer-malloc-leak \
  -Wno-analyzer-null-dereference -Wno-analyzer-possible-null-dereference -Wno-analyzer-null-argument \
  -Wno-analyzer-possible-null-argument -Wno-analyzer-use-of-uninitialized-value -I include -I lib \
  -isystem /usr/include/eigen3 -DEIGEN_MPL2_ONLY -DEIGEN_DONT_VECTORIZE -c -o /dev/null "$0"'
sources=$(echo "$files" | grep '^lib/')
echo "$sources" | quietly xargs -n 1 -P "$(nproc)" sh -c "$analyze"
echo "ok      GCC's analyzer on $(echo "$sources" | wc -l) files"
