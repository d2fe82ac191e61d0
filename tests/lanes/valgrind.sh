#!/bin/sh
# Lane: valgrind finds no leak and no access outside of memory in examples, apart from tests/lanes/valgrind.supp.
# Each has run before, so that PoCL does not compile under valgrind.
#   valgrind.sh        the first example and the client in C
#   valgrind.sh all    all of them
. "$(dirname "$0")/lane.sh"
examples="quickstart c-client"
[ "${1:-short}" = short ] || examples="quickstart c-client batches cancel elementwise interop leslie own_kernel pagerank priorities readme docs-products docs-threads-and-errors"
command -v valgrind > /dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends valgrind; } > /dev/null 2>&1 || true
if ! command -v valgrind > /dev/null; then
  echo "VALGRIND CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
  exit 77
fi
tools/build.sh
export TESSERA_PROFILE=off TESSERA_CACHE="$work/programs" POCL_CACHE_DIR="$work/pocl"
for example in $examples; do
  argument=tests/examples/web.mtx
  [ "$example" != c-client ] || argument=without-tuning
  quietly "build/tests/$example" "$argument"
  # Undefined values are not reported: code that was compiled for vectors reads more than it uses.
  quietly valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
    --undef-value-errors=no --suppressions=tests/lanes/valgrind.supp --error-exitcode=9 \
    "build/tests/$example" "$argument"
  echo "ok      $example"
done
