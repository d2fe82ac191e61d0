#!/bin/sh
# tools/release.sh --dry-run writes the same bytes twice, and refuses trees whose parts disagree.
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
refused "has no date\|is UNRELEASED" "$version"
echo > new-file
refused "the tree has changes" --dry-run "$version"
git add new-file
git commit -qm Second
refused "the tag v$version is not at HEAD" --dry-run "$version"
git tag -d "v$version" > /dev/null

# Each file that names another version is refused.
for file in include/tessera/version.hpp CITATION.cff CHANGELOG.md packaging/debian/changelog packaging/conan/conanfile.py \
  packaging/conda-forge/meta.yaml packaging/nix/package.nix packaging/spack/package.py packaging/vcpkg/vcpkg.json; do
  sed -i "s/$(echo "$version" | sed 's/\./\\./g')/9.8.7/; s/_PATCH [0-9]*$/_PATCH 7/" "$file"
  git commit -qam Changed
  refused "$file: " --dry-run "$version"
  git reset -q --hard HEAD^
done
sed -i 's/^project(tessera VERSION ${version}/project(tessera VERSION 0.0.1/' CMakeLists.txt
git commit -qam Changed
refused "CMakeLists.txt" --dry-run "$version"
echo "ok: equal bytes, and 17 refusals"
