#!/bin/sh
# Lane: the tests, built before, on Intel's CPU runtime from its Python packages.
#   intel.sh FOLDER    where the virtual environment is made, or was made before
# Where the runtime does not load, says so, and ends with status 77: skipped.
set -eu
folder=$1
cd "$(dirname "$0")/../.."

if [ ! -e "$folder/lib/libintelocl.so" ]; then
  python3 -m venv "$folder" 2> /dev/null || { apt-get update -q && apt-get install -y -q python3-venv && python3 -m venv "$folder"; } > /dev/null
  "$folder/bin/pip" install --quiet intel-opencl-rt intel-cmplr-lib-rt
fi
mkdir -p "$folder/vendors"
echo "$folder/lib/libintelocl.so" > "$folder/vendors/intel.icd"
export OCL_ICD_VENDORS="$folder/vendors" LD_LIBRARY_PATH="$folder/lib"
if ! build/tools/tessera devices --device "Intel(R) OpenCL" > /dev/null; then
  echo "INTEL'S RUNTIME DOES NOT LOAD ON THIS MACHINE: the lane is skipped"
  exit 77
fi
TESSERA_ALLOWED_SKIPS=$PWD/tests/skips/intel.txt tools/test.sh
