#!/bin/sh
# Builds, then passes the tests on an OpenCL device: $TESSERA_DEVICE, else the fastest.
# Arguments go to cmake.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh "$@"
# One error, not one of each test, if there is no such device.
build/tools/tessera devices --device "${TESSERA_DEVICE:-}" > /dev/null
TESSERA_TEST_REPORT=$(mktemp)
export TESSERA_TEST_REPORT
trap 'rm -f "$TESSERA_TEST_REPORT"' EXIT
status=0
ctest --test-dir build --output-on-failure --parallel "$(nproc)" || status=$?
# The summary of all programs: the device, how many tests ran, how many were skipped, and why, most frequent first.
awk '/^ran/ { ran += $2; skipped += $4; if (/ on /) { sub(/.* on /, ""); device = $0 } }
     /^  skipped/ { count = $2; sub(/^  skipped [0-9]*: /, ""); reasons[$0] += count }
     END { print device; print "ran " ran " tests, skipped " skipped; fflush()
           for (reason in reasons) printf "%5d x %s\n", reasons[reason], reason | "sort -k 1,1nr -k 3" }' \
  "$TESSERA_TEST_REPORT"
exit "$status"
