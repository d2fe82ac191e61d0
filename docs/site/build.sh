#!/bin/sh
# Builds the documentation site: build.sh OUTPUT writes OUTPUT/html/index.html. It fails on any warning of Doxygen or
# Sphinx and on any broken link within the site. It needs doxygen, python3 with venv, and the command `tessera`:
# $TESSERA_COMMAND, else build/tools/tessera, else the one in PATH. Python's packages go to OUTPUT/venv.
set -eu
mkdir -p "$1"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
site=$PWD/docs/site

command=${TESSERA_COMMAND:-$PWD/build/tools/tessera}
[ -x "$command" ] || command=$(command -v tessera) || {
  echo "docs/site/build.sh: no command tessera; build it with tools/build.sh, or set TESSERA_COMMAND" >&2
  exit 1
}
if ! command -v doxygen > /dev/null; then
  { apt-get update -q && apt-get install -y -q --no-install-recommends doxygen; } > "$output/apt.log" 2>&1 || {
    tail -n 5 "$output/apt.log" >&2
    exit 1
  }
fi
if ! cmp -s "$site/requirements.txt" "$output/venv/requirements.txt"; then
  python3 -m venv "$output/venv"
  "$output/venv/bin/pip" install --quiet --disable-pip-version-check -r "$site/requirements.txt"
  cp "$site/requirements.txt" "$output/venv/"
fi
export PYTHONDONTWRITEBYTECODE=1 TESSERA_SITE_XML="$output/xml"
python=$output/venv/bin/python

# doxygen_of NAME FOLDER PATTERN
doxygen_of() {
  mkdir -p "$output/xml/$1"
  {
    cat "$site/Doxyfile"
    echo "INPUT = $2
FILE_PATTERNS = $3
OUTPUT_DIRECTORY = $output/xml/$1
INPUT_FILTER = \"$python $site/doxygen_filter.py\"
STRIP_FROM_PATH = $PWD/include"
  } > "$output/xml/$1/Doxyfile"
  doxygen "$output/xml/$1/Doxyfile"
  "$python" "$site/clean_xml.py" "$output/xml/$1/xml"
}
rm -rf "$output/xml" "$output/html" "$output/doctrees"
doxygen_of cpp "$PWD/include/tessera" '*.hpp'
doxygen_of c "$PWD/include/tessera/c" '*.h'

"$python" "$site/stage.py" "$output/source" "$output/xml" "$command"
"$python" -m sphinx -q -n -W --keep-going -j auto -w "$output/warnings" -b html -c "$site" -d "$output/doctrees" \
  "$output/source" "$output/html"
"$python" "$site/check_links.py" "$output/html"
