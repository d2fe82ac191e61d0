#!/bin/sh
# Lane: the tests in a root of Debian 13, which has a PoCL with sub-groups and a newer compiler.
#   newer_pocl.sh FOLDER    the root, created if it does not exist; needs to be root
. "$(dirname "$0")/lane.sh"
make_root "DEBIAN 13" "$1" debootstrap --variant=minbase trixie "$1.new"
tests/lanes/in_root.sh "$1" env TESSERA_ALLOWED_SKIPS=/tessera/tests/skips/pocl-6.txt \
  /tessera/tools/test.sh -DTESSERA_WERROR=ON
