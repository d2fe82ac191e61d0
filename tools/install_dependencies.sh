#!/bin/sh
# Installs what building and running needs and this Debian or Ubuntu lacks. With nothing missing it does nothing.
set -eu

packages="g++ cmake make pkg-config ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd
libfmt-dev libxxhash-dev libcli11-dev nlohmann-json3-dev libeigen3-dev
libgtest-dev"

if ! command -v dpkg-query > /dev/null; then
  echo "This system has no Debian packages. Install the equivalents of these:" $packages >&2
  exit 0
fi
missing=
for package in $packages; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
  if ! command -v sudo > /dev/null; then
    echo "Packages are missing, and there is no sudo. Have root run this, then start again:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
    exit 1
  fi
fi
echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } > "$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
