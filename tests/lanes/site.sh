#!/bin/sh
# Lane: the documentation site builds without a warning and without a broken link. It has every document and every
# public name, and pages fit narrow and wide windows without JavaScript.
#   site.sh FOLDER    builds FOLDER/html; pictures of pages go to FOLDER/pictures
. "$(dirname "$0")/lane.sh"
folder=$1
need DOXYGEN 'command -v doxygen' from_apt doxygen
need CHROMIUM 'command -v chromium' from_apt chromium fonts-dejavu-core
export PYTHONDONTWRITEBYTECODE=1
quietly docs/site/build.sh "$folder"
if [ -s "$folder/warnings" ]; then
  cat "$folder/warnings"
  fail "warnings"
fi
tail -n 1 "$work/log"
python3 tests/lanes/site_content.py "$folder/html"
python3 tests/lanes/site_browser.py "$folder/html" "$folder/pictures" 390 1280 -- index products performance \
  pictures at-a-glance environment command-options genindex reference/cpp/matrix reference/c/multiply

# A page that is too wide must be found.
echo '<!DOCTYPE html><meta name="viewport" content="width=device-width"><p style="width:700px">wide' > "$work/wide.html"
if python3 tests/lanes/site_browser.py "$work" "$work" 390 -- wide > /dev/null 2>&1; then
  fail "a page of 700 pixels fits 390"
fi
echo "ok      a page of 700 pixels does not fit 390"
