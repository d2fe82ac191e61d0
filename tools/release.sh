#!/bin/sh
# Makes the files of a release from HEAD, the same bytes each time: tarball, wheel, Debian packages, SBOM, checksums.
#   release.sh VERSION OUTPUT              needs the tag vVERSION at HEAD, and the date of the release in CHANGELOG.md
#   release.sh --dry-run VERSION OUTPUT    needs neither, and builds neither the wheel nor the packages
# $PYTHON builds the wheel: CPython 3.12 or newer, python3 if it is not set. OUTPUT must not exist or be empty. A release
# that does not follow the rules is refused with status 1.
set -eu
is_dry=
if [ "${1:-}" = --dry-run ]; then
  is_dry=yes
  shift
fi
[ $# -eq 2 ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
version=$1 tag=v$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."

refuse() {
  echo "release.sh: $1" >&2
  exit 1
}
# same FILE FOUND: a file must name the version.
same() { [ "$2" = "$version" ] || refuse "$1: expected version $version, got '$2'"; }

echo "$version" | grep -Eqx '(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}' || refuse "expected MAJOR.MINOR.PATCH, got '$version'"
[ -z "$(ls -A "$output")" ] || refuse "$output is not empty"
[ -z "$(git status --porcelain)" ] || refuse "the tree has changes: commit or remove them"

# CMake reads the version of project() in version.hpp.
header=$(sed -n 's/^#define TESSERA_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/tessera/version.hpp | paste -s -d .)
same include/tessera/version.hpp "$header"
grep -q '^project(tessera VERSION ${version} ' CMakeLists.txt || refuse "CMakeLists.txt: project() does not take version.hpp's version"
same CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
same python/src/tessera_cl/_version.py "$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' python/src/tessera_cl/_version.py)"
heading=$(grep -m 1 '^## ' CHANGELOG.md)
same CHANGELOG.md "$(echo "$heading" | sed -n 's/^## \[\([^]]*\)\] - .*/\1/p')"
debian=$(head -n 1 packaging/debian/changelog)
same packaging/debian/changelog "$(echo "$debian" | sed -n 's/^tessera (\([^-]*\)-[^)]*) .*/\1/p')"
for recipe in conan/conanfile.py conda-forge/meta.yaml nix/package.nix spack/package.py vcpkg/vcpkg.json; do
  grep -Eq "\"$version\"" "packaging/$recipe" || refuse "packaging/$recipe: does not name version \"$version\""
done

# The tag
other=$(git tag --points-at HEAD | grep '^v' | grep -vx "$tag" || true)
[ -z "$other" ] || refuse "HEAD has the tag $other: expected $tag"
if git rev-parse -q --verify "refs/tags/$tag" > /dev/null; then
  [ "$(git rev-parse "$tag^{commit}")" = "$(git rev-parse HEAD)" ] || refuse "the tag $tag is not at HEAD"
elif [ -z "$is_dry" ]; then
  refuse "HEAD lacks the tag $tag"
fi
if [ -z "$is_dry" ]; then
  echo "$heading" | grep -Eq '\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$' || refuse "CHANGELOG.md: '$heading' has no date"
  case $debian in *UNRELEASED*) refuse "packaging/debian/changelog: the version is UNRELEASED" ;; esac
  # Wheels of older versions and of Python without a GIL are good for one version of Python.
  "${PYTHON:-python3}" -c 'import sys, sysconfig
sys.exit(sys.version_info < (3, 12) or bool(sysconfig.get_config_var("Py_GIL_DISABLED")))' ||
    refuse "set PYTHON to CPython 3.12 or newer with a GIL: '${PYTHON:-python3}' cannot build an abi3 wheel"
fi

umask 022
tarball=$output/tessera-$version.tar.gz
git -c tar.umask=0022 archive --format=tar --prefix="tessera-$version/" HEAD | gzip -9n > "$tarball"
if [ -z "$is_dry" ]; then
  packaging/build_wheel.sh "$output" "$tarball"
  wheel=$(cd "$output" && echo *.whl)
  floor=$(echo "$wheel" | sed -n 's/.*-abi3-manylinux_2_\([0-9]*\)_.*/\1/p')
  [ "${floor:-99}" -le 34 ] || {
    find "$output" -mindepth 1 -delete
    refuse "$wheel: expected an abi3 wheel for glibc 2.34 or older, which Debian 12 builds"
  }
  DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-noautodbgsym parallel=$(nproc)}" packaging/build_debs.sh "$output/debian" "$tarball"
  mv "$output/debian"/*.deb "$output"
  rm -r "$output/debian"
fi
python3 packaging/sbom.py "$tarball" "$(git rev-parse HEAD)" > "$output/tessera-$version.spdx.json"
(cd "$output" && sha256sum -- * > SHA256SUMS)
cat "$output/SHA256SUMS"
