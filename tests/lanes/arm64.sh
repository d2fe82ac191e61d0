#!/bin/sh
# Lane: the library and the command for ARM64, cross-compiled, on PoCL for ARM64 in an emulator: devices, products, a
# solve, and checks of some kernels. Emulated code is slow, so this is about right results alone.
#   arm64.sh FOLDER        root and build, created if they do not exist; needs to be root
#   arm64.sh FOLDER all    all default checks of the kernels for floats and doubles: an hour
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd) form=${2:-short}

need "THE CROSS-COMPILER AND THE EMULATOR" \
  'command -v aarch64-linux-gnu-g++ && command -v qemu-aarch64-static && command -v mmdebstrap' \
  from_apt g++-aarch64-linux-gnu qemu-user-static mmdebstrap
tools/install_dependencies.sh
# Linux 6.7 and newer have emulators for one namespace.
cat > "$work/with_emulator" <<'END'
mkdir -p "$EMULATOR" && mount -t binfmt_misc none "$EMULATOR" || exit 77
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":tessera-arm64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" > "$EMULATOR/register" || exit 77
"$@"
END
export EMULATOR="$work/emulator"
namespace() { unshare --user --map-root-user --mount sh "$work/with_emulator" "$@"; }
namespace true 2> /dev/null || skip "NO EMULATOR FOR A NAMESPACE"

root=$folder/root
if [ ! -e "$root/etc/debian_version" ]; then
  rm -rf "$root"
  # "extract" runs no program of the root.
  quietly mmdebstrap --architectures=arm64 --variant=extract --include="dash coreutils libc6-dev libstdc++-12-dev
    ocl-icd-opencl-dev ocl-icd-libopencl1 opencl-clhpp-headers pocl-opencl-icd libfmt-dev libxxhash-dev
    nlohmann-json3-dev libeigen3-dev libcli11-dev" bookworm "$root"
  mkdir -p "$root/proc" "$root/sys" "$root/root" "$root/build"
fi

launcher=
! command -v ccache > /dev/null || launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
# The folder may hold the build of another source tree; ccache makes a fresh one quick.
quietly cmake --fresh -S . -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/lanes/arm64.cmake" -DCMAKE_SYSROOT="$root" \
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" -DCMAKE_UNITY_BUILD=ON -DTESSERA_BUILD_TESTS=OFF \
  -DTESSERA_WERROR=ON $launcher
quietly cmake --build "$folder/build" --parallel "$(nproc)"
echo "ok      cross-compiled"

cat > "$work/in_root" <<'END'
for part in proc sys dev; do mount --rbind "/$part" "$ROOT/$part" || exit; done
mount --bind "$BUILD" "$ROOT/build" || exit
exec chroot "$ROOT" env -i PATH=/usr/bin:/bin HOME=/root LD_LIBRARY_PATH=/build/lib TESSERA_PROFILE=off \
  TESSERA_SELF_CHECK=300 /build/tools/tessera "$@"
END
export ROOT="$root" BUILD="$folder/build"
# arm TEXT ARGUMENT...: the command's output must have the text.
arm() {
  text=$1
  shift
  if namespace sh "$work/in_root" "$@" > "$work/out" 2>&1 && grep -q "$text" "$work/out"; then
    echo "ok      tessera $*: $(grep "$text" "$work/out" | tail -n 1)"
  else
    cat "$work/out"
    fail "tessera $*"
  fi
}
arm 'Portable Computing Language' devices
arm '9000 of 9000 elements checked' multiply random:100x80 random:80x90 --verify
arm '3285 of 3285 elements checked' multiply random:45x64 random:64x73 --verify --dtype double
arm '3285 of 3285 elements checked' multiply random:45x64 random:64x73 --verify --dtype int8
arm 'eigenvalue 1.50021428' eigen hilbert:4 --tolerance 1e-12
if [ "$form" = all ]; then
  arm '0 failed' check --dtype float
  arm '0 failed' check --dtype double
else
  arm '0 failed' check --operation multiply --variant direct --dtype float --largest 40
  arm '0 failed' check --operation implicit_round --dtype double --largest 40
fi
