#!/bin/sh
# Lane: fuzzes the readers of external input; see tests/fuzz/fuzz.cpp.
#   fuzz.sh [SECONDS [SEED]]    for each reader; $TESSERA_FUZZ_PARALLEL at a time, by default one per processor
# To run one input: TESSERA_FUZZ=READER build-fuzz/tests/fuzz/tessera-fuzz PATH
# Needs a clang with libFuzzer that compiles the library (16 or newer).
. "$(dirname "$0")/lane.sh"
seconds=${1:-10} seed=${2:-$(random_seed)}

probe() {
  printf '#include <ranges>\n#include <string>\nint n = 0;\nextern "C" int LLVMFuzzerTestOneInput(const char* text, unsigned long size) {\n  const std::string all(text, size);\n  for (const auto part : std::views::split(all, 1)) n += !part.empty();\n  return 0;\n}\n' |
    "$1" -std=c++20 -fsanitize=fuzzer,address -x c++ -o /dev/null - 2> /dev/null
}
find_compiler() {
  for compiler in clang++ clang++-19 clang++-18 clang++-17 clang++-16; do
    if command -v $compiler > /dev/null && probe $compiler; then return; fi
  done
  return 1
}
need "CLANG 16 WITH LIBFUZZER" find_compiler from_apt clang-16 libclang-rt-16-dev

tools/install_dependencies.sh
cmake --preset fuzz "-DCMAKE_CXX_COMPILER=$compiler" > /dev/null
echo "Building with $compiler"
quietly cmake --build --preset fuzz --parallel "$(nproc)"

# Fuzzes one reader; prints the path of an input that makes it fail.
fuzz='
found=build-fuzz/found/$0
mkdir -p "$found"
if TESSERA_FUZZ=$0 build-fuzz/tests/fuzz/tessera-fuzz -max_total_time=$1 -seed=$2 -max_len=4096 -timeout=10 \
  -rss_limit_mb=2048 -print_final_stats=1 "-artifact_prefix=$found/" "$found" "tests/fuzz/corpus/$0" \
  > "$found.log" 2>&1; then
  echo "ok      $0: $(sed -n "s/^stat::number_of_executed_units: *//p" "$found.log") executions"
else
  tail -n 40 "$found.log"
  echo "FAILED  $0: $(sed -n "s/.*Test unit written to //p" "$found.log")"
  exit 1
fi'
rm -rf build-fuzz/found
if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi
echo "fuzzing each reader for $seconds s, seed $seed"
ls tests/fuzz/corpus | xargs -I {} -P "${TESSERA_FUZZ_PARALLEL:-$(nproc)}" sh -c "$fuzz" {} "$seconds" "$seed"
