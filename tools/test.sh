#!/bin/sh
# Builds, then passes the tests on an OpenCL device: that of $TESSERA_DEVICE, else the fastest.
# Arguments go to cmake.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh "$@"
TESSERA_TEST_REPORT=$(mktemp)
export TESSERA_TEST_REPORT
trap 'rm -f "$TESSERA_TEST_REPORT"' EXIT
ctest --test-dir build --output-on-failure --parallel "$(nproc)"
# What each program told, in one: the device, how many tests ran, how many were skipped and why.
awk '/^ran/ { ran += $2; skipped += $4; if (/ on /) { sub(/.* on /, ""); device = $0 } }
     /^  skipped/ { count = $2; sub(/^  skipped [0-9]*: /, ""); reasons[$0] += count }
     END { print device; print "ran " ran " tests, skipped " skipped
           for (reason in reasons) print "  " reasons[reason] " x " reason }' "$TESSERA_TEST_REPORT"
