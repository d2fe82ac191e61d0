#!/bin/sh
# Lane: kernels build without a warning: every variant with every type, and the kernels that only a solve uses.
. "$(dirname "$0")/lane.sh"
export TESSERA_CACHE=off TESSERA_PROFILE=off TESSERA_BUILD_OPTIONS=-Werror
tessera=${TESSERA_COMMAND:-build/tools/tessera}
# The compiler warns before it optimises, and optimising takes most of the time. PoCL 6 cannot do without it.
if "$tessera" devices | grep -q "Portable Computing Language, driver 3"; then
  TESSERA_BUILD_OPTIONS="$TESSERA_BUILD_OPTIONS -cl-opt-disable"
fi
"$tessera" check --largest 16
for dtype in float double; do
  "$tessera" eigen hilbert:16 --dtype $dtype --tolerance 1e-3 --acceleration krylov
  "$tessera" eigen random:16x16 --dtype $dtype --tolerance 1e-13 --transpose
  for method in fused explicit; do "$tessera" eigen hilbert:16 --dtype $dtype --tolerance 1e-3 --method $method; done
done
