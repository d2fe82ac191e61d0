#!/bin/sh
# Operands that stay on the device until the program writes to them: random interleavings of writes and products.
#   resident_test.sh CLIENT LIBRARY [STEPS]
# Ends with 77 if the kernel does not report written pages.
set -eu
client=$1 library=$2 steps=${3:-30000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CACHE_HOME="$work/cache" TESSERA_PROFILE=off
for seed in 1 2; do
  rm -f "$work/report"
  LD_PRELOAD="$library" TESSERA_BLAS=wait,min=1,keep=4096 TESSERA_BLAS_REPORT="$work/report" \
    timeout 600 "$client" "$steps" "$seed"
  kept=$(sed -n 's/operands kept //p' "$work/report")
  echo "operands that were on the device already: ${kept:-0}"
  if [ -z "$kept" ] && [ "$(printf '6.7\n%s\n' "$(uname -r)" | sort -V | head -n 1)" != 6.7 ]; then
    echo "Linux $(uname -r) does not report written pages: skipped"
    exit 77
  fi
  [ "${kept:-0}" -gt $((steps / 3)) ]  # neighbours in memory do not hinder each other
done
