#!/bin/sh
# Lane: Kernel Tuner reads a cache and T4 results of ours, and searches again in them.
#   kernel_tuner.sh FOLDER [CACHE T4]    where the virtual environment is made, or was made before;
#                                        files to read in place of those of a tuning
# Where the package cannot be had, says so, and ends with status 77: skipped.
set -eu
folder=$1
cache=${2:+$(realpath "$2")}
results=${3:+$(realpath "$3")}
cd "$(dirname "$0")/../.."

if [ ! -e "$folder/bin/kernel_tuner" ]; then
  python3 -m venv "$folder" 2> /dev/null || { apt-get update -q && apt-get install -y -q python3-venv && python3 -m venv "$folder"; } > /dev/null
  if ! "$folder/bin/pip" install --quiet --disable-pip-version-check kernel-tuner; then
    echo "KERNEL TUNER CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
    exit 77
  fi
fi
if [ -z "$cache" ]; then
  cache=$folder/cache.json
  results=$folder/t4.json
  build/tools/tessera tune multiply --variant naive --size 64x64x64 --budget 5s --t4 "$results" --kernel-tuner-cache "$cache"
fi
"$folder/bin/python" -W ignore::UserWarning tests/lanes/read_with_kernel_tuner.py "$cache" "$results"
