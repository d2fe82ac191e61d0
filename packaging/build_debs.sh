#!/bin/sh
# Builds the Debian packages, the same bytes in every folder and at every time.
#   build_debs.sh OUTPUT [TARBALL]    writes .deb, .dsc, .changes and .buildinfo files to OUTPUT, which must be empty;
#                                     without a tarball of release.sh, builds HEAD
# $DEB_BUILD_OPTIONS has Debian's meaning: parallel=2 builds with two jobs, noautodbgsym omits debug symbols. Without
# nanobind-dev, which Debian 12 lacks, python3-tessera-cl is not built.
set -eu
mkdir -p "$1"
output=$(cd "$1" && pwd) tarball=$(realpath -- "${2:-/}")
[ -z "$(ls -A "$output")" ] || { echo "$output is not empty" >&2; exit 1; }
cd "$(dirname "$0")/.."

umask 022
build=$output/build
mkdir "$build"
version=$(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' packaging/debian/changelog)
original=$build/tessera_$version.orig.tar.gz source=$build/tessera-$version
if [ -f "$tarball" ]; then
  cp "$tarball" "$original"
else
  git -c tar.umask=0022 archive --format=tar --prefix="tessera-$version/" HEAD | gzip -9n > "$original"
fi
tar -xzf "$original" -C "$build"
SOURCE_DATE_EPOCH=$(stat -c %Y "$source/CMakeLists.txt")  # the commit's time
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
dpkg-query -W nanobind-dev > /dev/null 2>&1 || export DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES:-} nopython"
cp -R "$source/packaging/debian" "$source/debian"
(cd "$source" && dpkg-buildpackage --build=full --unsigned-source --unsigned-changes) > "$output/build.log" 2>&1 || {
  tail -n 40 "$output/build.log"
  exit 1
}
rm -r "$source"
mv "$build"/* "$output"
rmdir "$build"
