# Functions that all lanes share. A lane starts with: . "$(dirname "$0")/lane.sh"
# It then runs in the root of the source tree; relative paths in its arguments start there.
# Its exit status is 0 if it passed, 77 if it was skipped, anything else if it failed.
set -eu
cd "$(dirname "$0")/../.."

# A folder for temporary files. A lane that has more to clean up redefines leave().
work=$(mktemp -d)
leave() { :; }
trap 'leave; rm -rf "$work"' EXIT

fail() {
  echo "FAILED  $1"
  exit 1
}
# skip REASON: ends the lane if this machine lacks something that the lane needs.
skip() {
  echo "$1 ON THIS MACHINE: the lane is skipped"
  exit 77
}
# need NAME CHECK INSTALLER...: runs the installer if the check fails, and skips the lane if the check fails again.
need() {
  name=$1 check=$2
  shift 2
  if eval "$check" > /dev/null 2>&1; then return; fi
  "$@" || true
  eval "$check" > /dev/null 2>&1 || skip "$name CANNOT BE INSTALLED"
}
from_apt() { { apt-get update -q && apt-get install -y -q --no-install-recommends "$@"; } > /dev/null 2>&1; }
# from_pypi FOLDER PACKAGE...: installs packages in a virtual environment, which is created if it does not exist.
from_pypi() {
  python3 -m venv "$1" 2> /dev/null || { from_apt python3-venv && python3 -m venv "$1"; } > /dev/null
  folder=$1
  shift
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
}
# make_root SYSTEM ROOT COMMAND...: creates the root of another system in ROOT if there is none. The command writes it
# to ROOT.new.
make_root() {
  system=$1 root=$2
  shift 2
  [ ! -e "$root/etc/debian_version" ] || return 0
  need debootstrap 'command -v debootstrap' from_apt debootstrap
  rm -rf "$root.new"
  "$@" > "$root.log" 2>&1 || {
    tail -n 20 "$root.log"
    skip "NO ROOT OF $system CAN BE MADE"
  }
  mv "$root.new" "$root"
}

random_seed() { od -An -N4 -tu4 /dev/urandom | tr -d ' '; }
# quietly COMMAND...: prints the output only if the command fails, which ends the lane. It stays in $work/log.
quietly() { "$@" > "$work/log" 2>&1 || { status=$? && cat "$work/log" && fail "status $status: $*"; }; }
# run COMMAND...: prints the command and the last two lines of its output.
run() {
  echo "== $*"
  quietly timeout 600 "$@"
  tail -n 2 "$work/log"
}
# replace_kernel NAME BODY: writes a kernel that takes the place of the library's where $TESSERA_KERNEL_DIR is $work/cl.
replace_kernel() {
  mkdir -p "$work/cl/multiply"
  cat > "$work/cl/multiply/$1.cl" << END
#include "common/product.cl"
kernel void multiply_$1(const Shape shape, const number alpha, const number beta, global const element* restrict a,
                        const Layout a_at, global const element* restrict b, const Layout b_at,
                        global element* restrict c, const Layout c_at) {
$2
}
END
}
