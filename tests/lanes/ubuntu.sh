#!/bin/sh
# Lane: the README's commands, unchanged, in a root of Ubuntu 24.04, with PoCL 5.0, and clang as a second compiler.
#   ubuntu.sh FOLDER    the root, created if it does not exist; needs to be root
# $UBUNTU_MIRROR replaces debootstrap's own.
. "$(dirname "$0")/lane.sh"

# Writes the archive's key to $root.keys. Debian has a package of it from Debian 13 on; it comes from the mirror that
# this system's packages come from.
fetch_key() {
  rm -rf "$root.keys"
  mkdir -p "$root.keys/lists/partial" "$root.keys/cache/archives/partial"
  cd "$root.keys"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > sources.list
  for command in update "download ubuntu-keyring"; do
    apt-get -q -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=- -o Dir::Cache="$PWD/cache" \
      -o Dir::State::Lists="$PWD/lists" -o APT::Sandbox::User=root $command
  done
  dpkg-deb --extract ubuntu-keyring_*.deb .
}
fetch_noble() {
  # Older debootstraps have no script for noble; all of Ubuntu's releases use the same one.
  scripts=/usr/share/debootstrap/scripts
  [ -e $scripts/noble ] || ln -s gutsy $scripts/noble
  (fetch_key) && debootstrap --variant=minbase --components=main,universe \
    --keyring="$root.keys/usr/share/keyrings/ubuntu-archive-keyring.gpg" noble "$root.new" ${UBUNTU_MIRROR:+"$UBUNTU_MIRROR"}
}
make_root UBUNTU "$1" fetch_noble
# The package test uses clang.
tests/lanes/in_root.sh "$1" env DEBIAN_FRONTEND=noninteractive TESSERA_ALLOWED_SKIPS=/tessera/tests/skips/pocl-5.txt \
  sh -e -c 'command -v clang++ > /dev/null ||
              { apt-get update && apt-get install -y --no-install-recommends clang; } > /dev/null
            cd /tessera
            tools/demo.sh
            tools/test.sh
            cmake --install build --prefix /usr/local > /dev/null
            /usr/local/bin/tessera --version
            cmake --build build --target uninstall'
