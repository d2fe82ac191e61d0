#!/bin/sh
# Lane: eigenpairs of random matrices of many families, judged by their true roots; see families.py.
#   families.sh FOLDER [COUNT [SEED]]    where the virtual environment is made, or was made before
# Where mpmath and NumPy cannot be had, says so, and ends with status 77: skipped.
set -eu
folder=$1
cd "$(dirname "$0")/../.."

if [ ! -e "$folder/bin/python" ] || ! "$folder/bin/python" -c 'import mpmath, numpy' 2> /dev/null; then
  python3 -m venv "$folder" 2> /dev/null || { apt-get update -q && apt-get install -y -q python3-venv && python3 -m venv "$folder"; } > /dev/null
  if ! "$folder/bin/pip" install --quiet --disable-pip-version-check mpmath numpy; then
    echo "MPMATH AND NUMPY CANNOT BE INSTALLED ON THIS MACHINE: the lane is skipped"
    exit 77
  fi
fi
TESSERA_TARGET=solve-many tools/build.sh
TESSERA_PROFILE=off PYTHONDONTWRITEBYTECODE=1 "$folder/bin/python" tests/lanes/families.py build/tests/solve-many "${2:-300}" ${3:-}
