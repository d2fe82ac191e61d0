#!/bin/sh
# Builds everything in build/, or what $TESSERA_TARGET names. Arguments go to cmake: tools/build.sh -DTESSERA_WERROR=ON
set -eu
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
cmake --preset release "$@" > /dev/null
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Keeps what cmake says for the case that it fails. On a terminal, one line shows the percentage.
follow() {
  failed=
  [ -t 1 ] || echo "Building"
  while IFS= read -r line; do
    printf '%s\n' "$line" >> "$log"
    case $line in
      "["*"%]"*) [ ! -t 1 ] || printf '\rBuilding %s' "${line%%]*}]" ;;
      "cmake failed") failed=yes ;;
    esac
  done
  [ ! -t 1 ] || echo
  if [ -n "$failed" ]; then
    cat "$log" >&2
    return 1
  fi
}
{ cmake --build --preset release --target "${TESSERA_TARGET:-all}" --parallel "$(nproc)" 2>&1 ||
  echo "cmake failed"; } | follow
