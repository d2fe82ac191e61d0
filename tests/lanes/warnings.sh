#!/bin/sh
# Lane: kernels build without a warning: every variant with every type, and those that only a solve needs.
set -eu
cd "$(dirname "$0")/../.."
export TESSERA_CACHE=off TESSERA_PROFILE=off TESSERA_BUILD_OPTIONS=-Werror
tessera=${TESSERA_COMMAND:-build/tools/tessera}
# Warnings are of the part before the optimiser, which takes most of the time. PoCL 6 cannot do without it.
if "$tessera" devices | grep -q "Portable Computing Language, driver 3"; then
  TESSERA_BUILD_OPTIONS="$TESSERA_BUILD_OPTIONS -cl-opt-disable"
fi
"$tessera" check --largest 16
for dtype in float double; do
  "$tessera" eigen hilbert:16 --dtype $dtype --tolerance 1e-3 --acceleration krylov
  "$tessera" eigen random:16x16 --dtype $dtype --tolerance 1e-13 --transpose
  for method in fused explicit; do "$tessera" eigen hilbert:16 --dtype $dtype --tolerance 1e-3 --method $method; done
done
