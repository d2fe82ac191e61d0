#!/bin/sh
# Lane: eigenpairs of random matrices of many families, judged by their true roots; see families.py.
#   families.sh FOLDER [COUNT [SEED]]    the virtual environment, created if it does not exist
. "$(dirname "$0")/lane.sh"
folder=$1
need "MPMATH AND NUMPY" '"$folder/bin/python" -c "import mpmath, numpy"' from_pypi "$folder" mpmath numpy
TESSERA_TARGET=solve-many tools/build.sh
TESSERA_PROFILE=off PYTHONDONTWRITEBYTECODE=1 "$folder/bin/python" tests/lanes/families.py build/tests/solve-many "${2:-300}" ${3:-}
