#!/bin/sh
# Builds the wheel of the Python package, the same bytes in every folder and at every time.
#   build_wheel.sh OUTPUT [TARBALL [ARGUMENT...]]    writes the wheel to OUTPUT. Without a tarball of release.sh, or if it
#                                                    is -, builds HEAD. pip wheel receives the arguments.
# $PYTHON is the interpreter, python3 if it is not set. It needs its headers and the module venv. CPython 3.12 and newer
# give a wheel for all later versions (abi3). $WHEEL_TOOLS is the virtual environment of the programs in
# wheel-tools.txt. If it is not set, a temporary one is made.
set -eu
mkdir -p "$1"
output=$(cd "$1" && pwd) tarball=${2:--}
[ "$tarball" = - ] || tarball=$(realpath -- "$tarball")
shift $(($# < 2 ? $# : 2))
python=$(command -v "${PYTHON:-python3}") || { echo "no interpreter '$PYTHON': set PYTHON" >&2; exit 1; }
cd "$(dirname "$0")/.."

umask 022
build=$(mktemp -d "$output/build.XXXXXX")
trap 'rm -rf "$build"' EXIT
# logged COMMAND...: prints the output only if the command fails.
logged() { "$@" > "$build/log" 2>&1 || { tail -n 40 "$build/log" >&2; exit 1; }; }

tools=${WHEEL_TOOLS:-$build/tools}
[ -x "$tools/bin/pip" ] || logged "$python" -m venv "$tools"
logged "$tools/bin/pip" install --disable-pip-version-check --requirement packaging/wheel-tools.txt

source=$build/tessera
mkdir "$source"
if [ "$tarball" = - ]; then
  git -c tar.umask=0022 archive HEAD | tar -x -C "$source"
else
  tar -xzf "$tarball" -C "$source" --strip-components=1
fi
SOURCE_DATE_EPOCH=$(stat -c %Y "$source/CMakeLists.txt")  # the commit's time
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8 CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
# No folder's name reaches the wheel.
export CFLAGS="${CFLAGS:-} -ffile-prefix-map=$build=."
export CXXFLAGS="${CXXFLAGS:-} -ffile-prefix-map=$build=."
PATH=$tools/bin:$PATH
logged pip wheel --no-build-isolation --no-deps --no-index --wheel-dir "$build/wheel" -Cbuild-dir="$build/cmake" \
  -Ccmake.define.CMAKE_UNITY_BUILD=ON "$@" "$source/python"
logged auditwheel repair --wheel-dir "$output" "$build"/wheel/*.whl
