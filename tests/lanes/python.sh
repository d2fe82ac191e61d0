#!/bin/sh
# Lane: the Python package. Its wheel is built from HEAD in two folders, the same bytes, and installed into a fresh virtual
# environment. Its tests, examples, notebook and types are checked there. auditwheel, abi3audit and the wheel's size
# decide whether it can be published.
#   python.sh FOLDER [PYTHON]    virtual environment of the tools, created if it does not exist. PYTHON is an interpreter,
#                                python3 if it is not named; wheels of 3.12 and newer are abi3.
# The wheel is compiled with -O1.
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd) python=$(command -v "${2:-python3}")
tools=$folder/tools/bin

# venv FOLDER PACKAGE...: as from_pypi, with the chosen interpreter.
venv() {
  [ -e "$1/bin/pip" ] || "$python" -m venv "$1" || { from_apt python3-venv && "$python" -m venv "$1"; }
  in=$1
  shift
  [ $# -eq 0 ] || "$in/bin/pip" install --quiet --disable-pip-version-check "$@"
}
need "PYTHON'S HEADERS" '"$python" -c "import os, sysconfig; os.stat(sysconfig.get_path(\"include\") + \"/Python.h\")"' \
  from_apt python3-dev
need "THE PACKAGES FROM PYPI" '[ -x "$tools/basedpyright" ] && [ -x "$tools/abi3audit" ]' \
  venv "$folder/tools" --requirement packaging/wheel-tools.txt abi3audit basedpyright ruff
need CCACHE 'command -v ccache' from_apt ccache  # compiles the second wheel
tools/install_dependencies.sh

"$tools/ruff" check --quiet python && "$tools/ruff" format --quiet --check python
echo "ok      ruff"

# wheel FOLDER: builds the wheel there.
launcher="env;CCACHE_BASEDIR=$work;CCACHE_NOHASHDIR=1;ccache"
git -c tar.umask=0022 archive --format=tar --prefix=tessera/ HEAD | gzip -n > "$work/tessera.tar.gz"
wheel() {
  quietly env PYTHON="$python" WHEEL_TOOLS="$folder/tools" packaging/build_wheel.sh "$1" "$work/tessera.tar.gz" \
    -Ccmake.define.TESSERA_WERROR=ON "-Ccmake.define.CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
    -Ccmake.define.CMAKE_DISABLE_PRECOMPILE_HEADERS=ON "-Ccmake.define.CMAKE_CXX_COMPILER_LAUNCHER=$launcher"
}
wheel "$work/dist"
wheel "$work/another/folder"
wheel=$(echo "$work"/dist/*.whl)
cmp "$wheel" "$work/another/folder/$(basename "$wheel")"
"$python" -m zipfile -e "$wheel" "$work/unpacked"
! grep -r "$work" "$work/unpacked" || fail "the wheel names the folder that it was built in"
# glibc's version: the wheel must not need a newer one than 2.34. A newer system's headers may ask for it.
floor=$(basename "$wheel" | sed -n 's/.*manylinux_2_\([0-9]*\)_.*/\1/p')
[ "${floor:-99}" -le 34 ] || [ "$(getconf GNU_LIBC_VERSION | cut -d . -f 2)" -gt 36 ] || fail "$(basename "$wheel")"
bytes=$(stat -c %s "$wheel")
[ "$bytes" -lt 5000000 ] || fail "the wheel has $bytes bytes"
case $wheel in
  *-abi3-*) quietly "$tools/abi3audit" "$wheel" && echo "ok      abi3audit" ;;
  *) echo "no abi3audit: the wheel is one of $("$python" --version), which has no stable ABI for nanobind" ;;
esac
echo "ok      $(basename "$wheel"), $bytes bytes"

venv "$work/fresh"
quietly "$work/fresh/bin/pip" install --disable-pip-version-check "${wheel}[test]"
! nm -D --undefined-only "$work"/fresh/lib/python*/site-packages/tessera_cl/_core*.so | grep ' cl[A-Z]' ||
  fail "lib/runtime/opencl_loader.cpp lacks these functions"
export TESSERA_PROFILE=off PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY="$work/hypothesis" \
  XDG_STATE_HOME="$work/state" XDG_DATA_HOME="$work/data"
run "$work/fresh/bin/python" -m pytest -q -p no:cacheprovider python/tests

cd "$work"
PATH=$work/fresh/bin:$tools:$PATH quietly basedpyright --verifytypes tessera_cl --ignoreexternal
grep -q 'Type completeness score: 100%' "$work/log" || { cat "$work/log" && fail "types are missing"; }
echo "ok      types: 100 % known"
