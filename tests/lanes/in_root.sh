#!/bin/sh
# Runs a command in a root of another system. /tessera there has the files of HEAD, and what an earlier command built of
# the same HEAD.
#   in_root.sh ROOT COMMAND [ARGUMENT...]    needs to be root; only TESSERA_SHARE of the environment is kept
. "$(dirname "$0")/lane.sh"
root=$1
shift

for part in proc sys dev; do
  mountpoint -q "$root/$part" && continue
  mount --rbind "/$part" "$root/$part"
  mount --make-rslave "$root/$part"  # unmounting it leaves this system's mounts as they are
done
leave() {
  for part in dev sys proc; do umount -R -l "$root/$part"; done
}
for file in /etc/resolv.conf /etc/hosts; do [ ! -e "$file" ] || cp -L "$file" "$root$file"; done

commit=$(git rev-parse HEAD)
if [ "$(cat "$root/tessera/.commit" 2> /dev/null)" != "$commit" ]; then
  rm -rf "$root/tessera"
  mkdir "$root/tessera"
  git archive HEAD | tar -x -C "$root/tessera"
  echo "$commit" > "$root/tessera/.commit"
fi
chroot "$root" env -i PATH="$PATH" HOME=/root TESSERA_SHARE="${TESSERA_SHARE:-1/8}" "$@"
