#!/bin/sh
# Lane: valgrind finds nothing lost and no access outside of memory in an example, but for tests/lanes/valgrind.supp.
#   valgrind.sh        the first one: PoCL compiles under valgrind too, which takes a minute or two
#   valgrind.sh all    all of them: a quarter of an hour
# Where valgrind cannot be had, says so, and ends with status 77: skipped.
set -eu
cd "$(dirname "$0")/../.."
examples=quickstart
[ "${1:-short}" = short ] || examples="quickstart batches cancel elementwise interop leslie own_kernel pagerank priorities readme docs-products docs-threads-and-errors"
command -v valgrind > /dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends valgrind; } > /dev/null 2>&1 || true
if ! command -v valgrind > /dev/null; then
  echo "VALGRIND CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
  exit 77
fi
tools/build.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TESSERA_PROFILE=off TESSERA_CACHE="$folder/programs" POCL_CACHE_DIR="$folder/pocl"
for example in $examples; do
  # Not what is undefined: code that was compiled for vectors reads more than it uses.
  if ! valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
    --undef-value-errors=no --suppressions=tests/lanes/valgrind.supp --error-exitcode=9 \
    "build/tests/$example" tests/examples/web.mtx > "$folder/log" 2>&1; then
    cat "$folder/log"
    echo "FAILED  $example"
    exit 1
  fi
  echo "ok      $example"
done
