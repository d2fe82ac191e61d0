#!/bin/sh
# Lane: cppcheck finds nothing in the library and the command but what tests/lanes/cppcheck.txt argues away.
#   lint.sh
# Where cppcheck cannot be had, says so, and ends with status 77: skipped.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v cppcheck > /dev/null; then
  { apt-get update -q && apt-get install -y -q --no-install-recommends cppcheck; } > /dev/null 2>&1 || true
  if ! command -v cppcheck > /dev/null; then
    echo "CPPCHECK CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
    exit 77
  fi
fi
cppcheck --quiet --error-exitcode=1 --std=c++20 --enable=warning,performance,portability --inline-suppr \
  --suppressions-list=tests/lanes/cppcheck.txt -j "$(nproc)" -I include -I lib -I tools/tessera lib tools/tessera
echo "ok      cppcheck on $(find lib tools/tessera -name '*.cpp' | wc -l) files"
