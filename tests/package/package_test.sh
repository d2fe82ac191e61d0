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

# The command runs from where it was installed, with no path to the build.
"$work/prefix/bin/tessera" --version
