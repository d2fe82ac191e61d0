#!/bin/sh
# Lane: README's commands as they stand in a root of Ubuntu 24.04, with PoCL 5.0, and with clang as another compiler.
#   ubuntu.sh FOLDER    where the root is made, or was made before; needs to be root
# $UBUNTU_MIRROR replaces debootstrap's own. Where no root can be made, says so, and ends with status 77: skipped.
set -eu
root=$1
lanes=$(cd "$(dirname "$0")" && pwd)

# Writes the archive's key to $root.keys. Debian has a package of it from Debian 13 on, where this system's packages
# come from too.
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

if [ ! -e "$root/etc/debian_version" ]; then
  command -v debootstrap > /dev/null || { apt-get update -q && apt-get install -y -q debootstrap; } > /dev/null
  rm -rf "$root.new"
  # Older debootstraps know no noble; all of Ubuntu's releases have one script.
  scripts=/usr/share/debootstrap/scripts
  [ -e $scripts/noble ] || ln -s gutsy $scripts/noble
  { (fetch_key) && debootstrap --variant=minbase --components=main,universe \
    --keyring="$root.keys/usr/share/keyrings/ubuntu-archive-keyring.gpg" noble "$root.new" ${UBUNTU_MIRROR:+"$UBUNTU_MIRROR"}
  } > "$root.log" 2>&1 || {
    tail -5 "$root.log"
    echo "NO ROOT OF UBUNTU CAN BE MADE ON THIS MACHINE: the lane is skipped"
    exit 77
  }
  mv "$root.new" "$root"
fi
# Clang is for the package test.
"$lanes/in_root.sh" "$root" env DEBIAN_FRONTEND=noninteractive TESSERA_ALLOWED_SKIPS=/tessera/tests/skips/pocl-5.txt \
  sh -e -c 'command -v clang++ > /dev/null ||
              { apt-get update && apt-get install -y --no-install-recommends clang; } > /dev/null
            cd /tessera
            tools/demo.sh
            cmake --install build --prefix /usr/local > /dev/null
            /usr/local/bin/tessera --version
            cmake --build build --target uninstall
            tools/test.sh'
