#!/bin/sh
# Runs a command in a root of another system, on the files of HEAD in /tessera there, beside what an earlier command has
# built of the same HEAD.
#   in_root.sh ROOT COMMAND [ARGUMENT...]    needs to be root; of the environment, TESSERA_SHARE alone is kept
set -eu
root=$1
shift
source=$(cd "$(dirname "$0")/../.." && pwd)

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

commit=$(cd "$source" && git rev-parse HEAD)
if [ "$(cat "$root/tessera/.commit" 2> /dev/null)" != "$commit" ]; then
  rm -rf "$root/tessera"
  mkdir "$root/tessera"
  (cd "$source" && git archive HEAD) | tar -x -C "$root/tessera"
  echo "$commit" > "$root/tessera/.commit"
fi
chroot "$root" env -i PATH="$PATH" HOME=/root TESSERA_SHARE="${TESSERA_SHARE:-1/8}" "$@"
