#!/bin/sh
# Builds everything in build/, or what $TESSERA_TARGET names. Arguments go to cmake: tools/build.sh -DTESSERA_WERROR=ON
set -eu
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
cmake --preset release "$@" > /dev/null
echo "Building"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --build --preset release --target "${TESSERA_TARGET:-all}" --parallel "$(nproc)" > "$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
