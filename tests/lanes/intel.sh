#!/bin/sh
# Lane: the tests, already built, on Intel's CPU runtime from its Python packages.
#   intel.sh FOLDER    the virtual environment, created if it does not exist
. "$(dirname "$0")/lane.sh"
folder=$1
need "INTEL'S RUNTIME" '[ -e "$folder/lib/libintelocl.so" ]' from_pypi "$folder" intel-opencl-rt intel-cmplr-lib-rt
mkdir -p "$folder/vendors"
echo "$folder/lib/libintelocl.so" > "$folder/vendors/intel.icd"
export OCL_ICD_VENDORS="$folder/vendors" LD_LIBRARY_PATH="$folder/lib"
build/tools/tessera devices --device "Intel(R) OpenCL" > /dev/null || skip "INTEL'S RUNTIME DOES NOT LOAD"
TESSERA_ALLOWED_SKIPS=$PWD/tests/skips/intel.txt tools/test.sh
