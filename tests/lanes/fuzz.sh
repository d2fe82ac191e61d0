#!/bin/sh
# Lane: what reads input from outside, fuzzed; see tests/fuzz/fuzz.cpp.
#   fuzz.sh [SECONDS [SEED]]    for each reader, $TESSERA_FUZZ_PARALLEL at a time, else as many as there are processors
# What an input does: TESSERA_FUZZ=READER build-fuzz/tests/fuzz/tessera-fuzz PATH
# Ends with status 77, skipped, where no clang with libFuzzer can be had that compiles the library (16 or newer).
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-10} seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

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
if ! find_compiler; then
  { apt-get update -q && apt-get install -y -q --no-install-recommends clang-16 libclang-rt-16-dev; } > /dev/null 2>&1 || true
  if ! find_compiler; then
    echo "CLANG 16 WITH LIBFUZZER CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
    exit 77
  fi
fi

tools/install_dependencies.sh
cmake --preset fuzz "-DCMAKE_CXX_COMPILER=$compiler" > /dev/null
echo "Building with $compiler"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --build --preset fuzz --parallel "$(nproc)" > "$log" 2>&1 || { cat "$log" >&2; exit 1; }

# One reader: fails with the path of the input that it fails on.
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
