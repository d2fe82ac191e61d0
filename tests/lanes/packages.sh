#!/bin/sh
# Lane: the Debian packages in roots of Debian: they are built, lintian examines them, they are installed in a root without
# them, their tests run there, and purging them leaves no file. Then the rules of releases.
#   packages.sh FOLDER [RELEASE]    the roots, created if they do not exist; needs to be root. RELEASE is bookworm
#                                   (Debian 12) if it is not named; from trixie (Debian 13) on, the Python package is
#                                   built too.
# The packages are compiled with -O1.
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd) release=${2:-bookworm}
make_root DEBIAN "$folder/base" debootstrap --variant=minbase "$release" "$folder/base.new"
for root in build trial; do
  [ -e "$folder/$root" ] || { cp -a "$folder/base" "$folder/$root.new" && mv "$folder/$root.new" "$folder/$root"; }
done
export DEBIAN_FRONTEND=noninteractive

# Files of the build: the tarball goes in, packages come out.
version=$(sed -n 's/^version: //p' CITATION.cff)
files=$folder/build/files
rm -rf "$files"
mkdir "$files"
git -c tar.umask=0022 archive --format=tar --prefix="tessera-$version/" HEAD | gzip -9n > "$files/tessera.tar.gz"
cat > "$files/build.sh" <<'END'
set -eu
cd /tessera
if ! command -v lintian > /dev/null; then
  apt-get update
  apt-get install -y --no-install-recommends dpkg-dev fakeroot lintian
fi
cp -R packaging/debian debian
profile=
apt-cache show nanobind-dev > /dev/null 2>&1 || profile="--build-profiles nopython"
apt-get build-dep -y --no-install-recommends $profile ./
rm -r debian
DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym" DEB_CFLAGS_APPEND="-O1 -g0" DEB_CXXFLAGS_APPEND="-O1 -g0" \
  packaging/build_debs.sh /files/packages /files/tessera.tar.gz
lintian --fail-on warning --allow-root /files/packages/*.changes
END
quietly tests/lanes/in_root.sh "$folder/build" sh /files/build.sh
echo "ok      built, and lintian found nothing: $(basename -a "$files"/packages/*.deb | tr '\n' ' ')"

trial=$folder/trial
rm -rf "$trial/files"
mkdir "$trial/files"
cp "$files"/packages/*.deb "$trial/files"
cat > "$trial/files/try.sh" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive
list_files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /files -o -path /tessera -o \
    -path /var/cache -o -path /var/log -o -path /root \) -prune -o -print | sort
}
purge() { apt-get purge -y $(dpkg-query -W -f '${Package}\n' '*tessera*'); }
install="apt-get install -y --no-install-recommends"
[ ! -e /usr/bin/tessera ] || purge  # what a run that failed left
apt-get update
# What the packages and their tests depend on is installed first, and stays.
cd /tessera
rm -rf debian
cp -R packaging/debian debian
tests=$(sed -n 's/^Tests: //p' debian/tests/control | tr -d ,)
depends=$(sed -n '/^Depends:/,/^[A-Z].*:/{s/^Depends://;/^[A-Z]/d;p}' debian/tests/control | tr -d , | tr ' ' '\n' | grep -v tessera)
$install $depends $(apt-get -s install --no-install-recommends /files/*.deb | sed -n 's/^Inst \([^ ]*\) .*/\1/p' | grep -v tessera)
list_files > /tmp/before
$install /files/*.deb
for test in $tests; do
  printf '\n== %s\n' "$test"
  debian/tests/"$test" || [ $? = 77 ]
done
purge
list_files > /tmp/after
diff /tmp/before /tmp/after
! update-alternatives --query libblas.so.3-x86_64-linux-gnu | grep tessera
END
quietly tests/lanes/in_root.sh "$trial" sh /files/try.sh
[ "$(grep -c '^== ' "$work/log")" -ge 5 ] || fail "tests of the packages did not run"
echo "ok      installed, $(grep -c '^== ' "$work/log") tests passed, purged: no file left"
run tests/package/release_test.sh "$PWD"
