#!/bin/sh
# Lane 2: the tests in a root of Debian 13, whose PoCL has sub-groups and whose compiler is a newer one.
#   newer_pocl.sh FOLDER    where the root is made, or was made before; needs to be root
set -eu
root=$1
source=$(cd "$(dirname "$0")/../.." && pwd)

if [ ! -e "$root/etc/debian_version" ]; then
  command -v debootstrap > /dev/null || { apt-get update -q && apt-get install -y -q debootstrap; } > /dev/null
  rm -rf "$root.new"
  debootstrap --variant=minbase trixie "$root.new" > "$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
  mv "$root.new" "$root"
fi
for part in proc sys dev; do
  mountpoint -q "$root/$part" && continue
  mount --rbind "/$part" "$root/$part"
  mount --make-rslave "$root/$part"  # what is unmounted there stays mounted here
done
leave() {
  for part in dev sys proc; do umount -R -l "$root/$part"; done
}
trap leave EXIT
for file in /etc/resolv.conf /etc/hosts; do [ ! -e "$file" ] || cp -L "$file" "$root$file"; done

rm -rf "$root/tessera"
mkdir "$root/tessera"
(cd "$source" && git archive HEAD) | tar -x -C "$root/tessera"
chroot "$root" env -i PATH="$PATH" HOME=/root TESSERA_SHARE="${TESSERA_SHARE:-1/8}" \
  TESSERA_ALLOWED_SKIPS=/tessera/tests/skips/pocl-6.txt \
  /tessera/tools/test.sh -DTESSERA_WERROR=ON
