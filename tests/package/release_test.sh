#!/bin/sh
# tools/release.sh --dry-run writes the same bytes twice, and refuses trees whose parts disagree. A release has the wheel
# and the packages, which stand-ins build here.
#   release_test.sh SOURCE_FOLDER
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@localhost
export GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@localhost

# A repository of the files as they are.
mkdir "$work/tree"
tar -c --exclude=./.git --exclude='./build*' -C "$source" . | tar -x -C "$work/tree"
cd "$work/tree"
git init -q
git add -A
git commit -qm First
version=$(sed -n 's/^version: //p' CITATION.cff)
tools/release.sh --dry-run "$version" "$work/first" > "$work/sums"
(sleep 1 && umask 077 && TZ=Asia/Tokyo tools/release.sh --dry-run "$version" "$work/second" > "$work/sums2")
cmp "$work/sums" "$work/sums2"
diff -r "$work/first" "$work/second"
(cd "$work/first" && sha256sum --check --quiet SHA256SUMS)
[ "$(find "$work/first" -type f | wc -l)" = 3 ]
tar -xzf "$work/first/tessera-$version.tar.gz" -C "$work"
[ "$(cat "$work/tessera-$version/tools/commit.txt")" = "$(git rev-parse HEAD)" ]
python3 - "$work/first/tessera-$version.spdx.json" <<'END'
import json, sys
document = json.load(open(sys.argv[1]))
names = {package["name"]: package for package in document["packages"]}
assert document["spdxVersion"] == "SPDX-2.3" and {"tessera", "fmt", "Eigen"} <= names.keys(), names.keys()
assert len(document["relationships"]) == len(names)
END

# refused REASON [ARGUMENT...]: a release with these arguments is refused with this reason, and leaves no file.
refused() {
  reason=$1
  shift
  rm -rf "$work/refused"
  status=0
  tools/release.sh "$@" "$work/refused" > "$work/log" 2>&1 || status=$?
  if [ $status != 1 ] || ! grep -q "$reason" "$work/log" || [ -n "$(ls -A "$work/refused")" ]; then
    echo "release.sh $*: expected a refusal with \"$reason\", got status $status:"
    cat "$work/log"
    exit 1
  fi
}
refused "expected MAJOR.MINOR.PATCH" --dry-run "$version-rc1"
refused "version.hpp: expected version 9.9.9, got '$version'" --dry-run 9.9.9
refused "HEAD lacks the tag" "$version"
git tag v9.9.9
refused "HEAD has the tag v9.9.9" --dry-run "$version"
git tag -d v9.9.9 > /dev/null
git tag "v$version"
echo > new-file
refused "the tree has changes" --dry-run "$version"
git add new-file
git commit -qm Second
refused "the tag v$version is not at HEAD" --dry-run "$version"

# A release needs dates, a suitable interpreter and a wheel for old systems. A dry run needs none of them.
commit() {
  git commit -qam "$1"
  git tag --force "v$version" > /dev/null
}
sed -i "1s/) [^;]*;/) unstable;/" packaging/debian/changelog
sed -i "s/^## \[$version\] - .*/## [$version] - not released/" CHANGELOG.md
commit "No date"
refused "has no date" "$version"
sed -i "s/^## \[$version\] - .*/## [$version] - 2026-01-02/" CHANGELOG.md
sed -i "1s/) [^;]*;/) UNRELEASED;/" packaging/debian/changelog
commit "A date"
refused "is UNRELEASED" "$version"
sed -i "1s/) [^;]*;/) unstable;/" packaging/debian/changelog
for script in build_wheel.sh build_debs.sh; do
  printf '#!/bin/sh\nmkdir -p "$1"\ncp stand-ins/%s/* "$1"\n' $script > packaging/$script
done
mkdir -p stand-ins/build_wheel.sh stand-ins/build_debs.sh
touch stand-ins/build_debs.sh/tessera.deb stand-ins/build_wheel.sh/tessera_cl-1-cp312-abi3-manylinux_2_39_x86_64.whl
git add stand-ins
commit "Stand-ins"
export PYTHON="$work/python"
printf '#!/bin/sh\nexit 1\n' > "$PYTHON"
chmod +x "$PYTHON"
refused "set PYTHON to CPython 3.12" "$version"
printf '#!/bin/sh\n' > "$PYTHON"
refused "_2_39_x86_64.whl: expected an abi3 wheel" "$version"
git mv stand-ins/build_wheel.sh/*.whl stand-ins/build_wheel.sh/tessera_cl-1-cp312-abi3-manylinux_2_34_x86_64.whl
commit "A wheel for older systems"
tools/release.sh "$version" "$work/release" > "$work/sums"
[ "$(grep -c '\.whl$\|\.deb$\|\.tar\.gz$\|\.spdx\.json$' "$work/sums")" = 4 ]
git tag -d "v$version" > /dev/null

# Each file that names another version is refused.
for file in include/tessera/version.hpp CITATION.cff CHANGELOG.md packaging/debian/changelog packaging/conan/conanfile.py \
  packaging/conda-forge/meta.yaml packaging/nix/package.nix packaging/spack/package.py packaging/vcpkg/vcpkg.json \
  python/src/tessera_cl/_version.py; do
  sed -i "s/$(echo "$version" | sed 's/\./\\./g')/9.8.7/; s/_PATCH [0-9]*$/_PATCH 7/" "$file"
  git commit -qam Changed
  refused "$file: " --dry-run "$version"
  git reset -q --hard HEAD^
done
sed -i 's/^project(tessera VERSION ${version}/project(tessera VERSION 0.0.1/' CMakeLists.txt
git commit -qam Changed
refused "CMakeLists.txt" --dry-run "$version"
echo "ok: equal bytes, a release, and 21 refusals"
