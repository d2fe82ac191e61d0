#!/bin/sh
# Lane: valgrind finds no leak and no access outside of memory in an example, apart from tests/lanes/valgrind.supp.
#   valgrind.sh        the first example: PoCL compiles under valgrind too, which takes a minute or two
#   valgrind.sh all    all of them, and the client in C: half an hour
. "$(dirname "$0")/lane.sh"
examples=quickstart
[ "${1:-short}" = short ] || examples="quickstart c-client batches cancel elementwise interop leslie own_kernel pagerank priorities readme docs-products docs-threads-and-errors"
command -v valgrind > /dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends valgrind; } > /dev/null 2>&1 || true
if ! command -v valgrind > /dev/null; then
  echo "VALGRIND CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
  exit 77
fi
tools/build.sh
export TESSERA_PROFILE=off TESSERA_CACHE="$work/programs" POCL_CACHE_DIR="$work/pocl"
for example in $examples; do
  # Undefined values are not reported: code that was compiled for vectors reads more than it uses.
  quietly valgrind -q --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect \
    --undef-value-errors=no --suppressions=tests/lanes/valgrind.supp --error-exitcode=9 \
    "build/tests/$example" $(if [ "$example" = c-client ]; then echo without-tuning; else echo tests/examples/web.mtx; fi)
  echo "ok      $example"
done
