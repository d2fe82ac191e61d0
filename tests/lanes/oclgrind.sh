#!/bin/sh
# Lane 4: every variant that runs there on a simulator that sees races, reads of nothing and writes outside.
set -eu
cd "$(dirname "$0")/../.."
command -v oclgrind > /dev/null || { apt-get update -q && apt-get install -y -q oclgrind; } > /dev/null

log=$(mktemp) report=$(mktemp)  # the simulator begins its log anew in each run
trap 'rm -f "$log" "$report"' EXIT
# Unoptimised: the simulator does not know every instruction that an optimiser makes.
simulate() {
  TESSERA_CACHE=off oclgrind --build-options -cl-opt-disable --local-mem-size 49152 --data-races --check-api \
    --max-errors 20 --log "$log" "$@"
}
status=0 ran=0 skipped=0
for variant in $(build/tools/tessera devices --json | sed -n 's/^ *"name": "\([a-z_]*\)",$/\1/p' | grep -v '^multiply$' | sort -u); do
  watch=--uninitialized settings=
  case $variant in
    # It does not follow values through images that a kernel writes.
    image) watch= ;;
    # The default tiles take it minutes.
    register_tiled) settings="--set TILE_M=32 --set TILE_N=32 --set TILE_K=8" ;;
  esac
  # A variant that runs with no type at all is skipped, not failed.
  simulate $watch build/tools/tessera check --variant "$variant" $settings --largest 33 > "$report" ||
    grep -q '^0 ok, 0 failed' "$report" || status=1
  [ "$ran$skipped" != 00 ] || head -1 "$report"
  sed -n '/^\(ok\|FAILED\|skipped\|  \)/p' "$report"
  ran=$((ran + $(grep -c '^\(ok\|FAILED\)' "$report" || true)))
  skipped=$((skipped + $(grep -c '^skipped' "$report" || true)))
  if [ -s "$log" ]; then
    cat "$log"
    status=1
  fi
done
echo "ran $ran checks, skipped $skipped"
exit $status
