#!/bin/sh
# Installs the library, then builds and runs programs against it by find_package and by pkg-config.
#   package_test.sh BUILD_FOLDER SOURCE_FOLDER CXX
set -eu
build=$1 source=$2 cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" > "$work/install.log"
examples=$source/tests/examples

cmake -S "$source/tests/package/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$cxx" -DEXAMPLES="$examples" > "$work/configure.log"
cmake --build "$work/consumer" > "$work/build.log"
[ "$("$work/consumer/quickstart" | head -1)" = "58 64 139 154 " ]
[ "$("$work/consumer/interop")" = "7 10 15 22 " ]

pc=$(dirname "$(find "$work/prefix" -name tessera.pc)")
export PKG_CONFIG_PATH="$pc" PKG_CONFIG_SYSROOT_DIR=
flags=$(pkg-config --cflags --libs tessera)
"$cxx" -std=c++20 "$examples/quickstart.cpp" -o "$work/by_pkg_config" $flags
lib=$(pkg-config --variable=libdir tessera)
[ "$(LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$work/by_pkg_config" | head -1)" = "58 64 139 154 " ]

# The loader knows the library by a path that leads to another one from where the program tunes, and its worker with it.
"$cxx" -std=c++20 "$source/tests/package/consumer/tune_elsewhere.cpp" -o "$work/tune_elsewhere" $flags
beside=$(realpath --relative-to="$work" "$lib")
mkdir -p "$work/elsewhere/$beside/tessera" "$work/elsewhere/tessera"
for worker in "$work/elsewhere/$beside/tessera/tessera-worker" "$work/elsewhere/tessera/tessera-worker"; do
  printf '#!/bin/sh\ntouch "%s/fooled"\n' "$work" > "$worker"
  chmod +x "$worker"
done
said=$(cd "$work" && LD_LIBRARY_PATH="$beside${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ./tune_elsewhere elsewhere) || true
if [ -e "$work/fooled" ] || [ "$said" != "ok " ]; then
  echo "tuned by another worker, or not at all: $said"
  exit 1
fi

# The command runs from where it was installed, with no path to the build.
"$work/prefix/bin/tessera" --version
