#!/bin/sh
# Lane: the tests in a root of Debian 13, whose PoCL has sub-groups and whose compiler is a newer one.
#   newer_pocl.sh FOLDER    where the root is made, or was made before; needs to be root
set -eu
root=$1
lanes=$(cd "$(dirname "$0")" && pwd)

if [ ! -e "$root/etc/debian_version" ]; then
  command -v debootstrap > /dev/null || { apt-get update -q && apt-get install -y -q debootstrap; } > /dev/null
  rm -rf "$root.new"
  debootstrap --variant=minbase trixie "$root.new" > "$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
  mv "$root.new" "$root"
fi
"$lanes/in_root.sh" "$root" env TESSERA_ALLOWED_SKIPS=/tessera/tests/skips/pocl-6.txt \
  /tessera/tools/test.sh -DTESSERA_WERROR=ON
