#!/bin/sh
# Lane: Kernel Tuner reads a cache and T4 results that Tessera wrote, and searches again in them.
#   kernel_tuner.sh FOLDER [CACHE T4]    the virtual environment, created if it does not exist;
#                                        files to read instead of a new tuning's
. "$(dirname "$0")/lane.sh"
folder=$1 cache=${2:-} results=${3:-}
need "KERNEL TUNER" '[ -e "$folder/bin/kernel_tuner" ]' from_pypi "$folder" kernel-tuner
if [ -z "$cache" ]; then
  cache=$folder/cache.json
  results=$folder/t4.json
  build/tools/tessera tune multiply --variant naive --size 64x64x64 --budget 15s --t4 "$results" --kernel-tuner-cache "$cache"
fi
"$folder/bin/python" -W ignore::UserWarning tests/lanes/read_with_kernel_tuner.py "$cache" "$results"
