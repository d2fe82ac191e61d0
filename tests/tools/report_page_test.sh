#!/bin/sh
# Chromium draws the reports of all samples without an error: a section for each problem, no script from a sample.
#   report_page_test.sh CHROMIUM SAMPLE_FILES
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$work"
fail() { echo "$page: $*" >&2; exit 1; }
count() { grep -o "$1" "$work/dom" | wc -l; }
for page in report:3 edge_case:1 empty:1 failed:1 single:1 odd:4; do
  "$1" --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --dump-dom \
    "file://$work/${page%:*}.html" > "$work/dom" 2> "$work/errors" || fail "$(cat "$work/errors")"
  ! grep 'class="error"' "$work/dom" || fail "it is not drawn"
  [ "$(count '<section id=')" = "${page#*:}" ] || fail "$(count '<section id=') sections"
  [ "$(count '<script')" = 2 ] || fail "$(count '<script') scripts"
  ! grep -o '[a-z0-9]*="[^"]*\(NaN\|Infinity\|undefined\|null\)[^"]*"' "$work/dom" || fail "a number is not finite"
done
