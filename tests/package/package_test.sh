#!/bin/sh
# Installs the library, then builds and runs programs against it by find_package and by pkg-config.
#   package_test.sh BUILD_FOLDER SOURCE_FOLDER CXX
set -eu
build=$1 source=$2 cxx=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A component has a manifest of its own: the target uninstall keeps the manifest of the user's
# installation.
cmake --install "$build" --component Unspecified --prefix "$work/prefix" > "$work/install.log"
examples=$source/tests/examples consumer=$source/tests/package/consumer

cmake -S "$consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$cxx" -DEXAMPLES="$examples" > "$work/configure.log"
grep -q "BLAS: $(find "$work/prefix" -name libtessera-blas.so)\$" "$work/configure.log"
cmake --build "$work/consumer" > "$work/build.log"
[ "$("$work/consumer/quickstart" | head -1)" = "58 64 139 154 " ]
[ "$("$work/consumer/interop")" = "7 10 15 22 " ]

pc=$(dirname "$(find "$work/prefix" -name tessera.pc)")
export PKG_CONFIG_PATH="$pc" PKG_CONFIG_SYSROOT_DIR=
flags=$(pkg-config --cflags --libs tessera)
lib=$(pkg-config --variable=libdir tessera)

# run FOLDER PROGRAM [ARGUMENT...]: runs the program in the folder, with the installed library,
# whose folder is called `path`.
path=$lib
run() {
  (cd "$1" && shift && LD_LIBRARY_PATH="$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@")
}

# The C library, by find_package and by pkg-config.
[ "$("$work/consumer/product" | head -1)" = "7 10 15 22" ]
cc -std=c99 "$examples/languages/product.c" -o "$work/product" $(pkg-config --cflags --libs tessera_c)
[ "$(run "$work" ./product | head -1)" = "7 10 15 22" ]
cc -std=c99 "$examples/languages/product.c" -o "$work/product" $(pkg-config --cflags --libs tessera_c) \
  -Wl,-rpath,"$(pkg-config --variable=libdir tessera_c)"
[ "$("$work/product" | head -1)" = "7 10 15 22" ]

# A second compiler, if there is one, gives each exported template the same name.
for compiler in "$cxx" clang++; do
  command -v "$compiler" > /dev/null || continue
  "$compiler" -std=c++20 "$consumer/every_template.cpp" -o "$work/every_template" $flags
  [ "$(run "$work" ./every_template)" = "1 1 1 1 5.372 " ]
done

# Programs whose containers have another layout fail to link, and an older C++ fails to compile,
# each with a message.
refused() {
  expected=$1
  shift
  if "$cxx" "$@" "$examples/quickstart.cpp" -o "$work/refused" $flags 2> "$work/refused.log" ||
    ! grep -q "$expected" "$work/refused.log"; then
    echo "$*: was not refused by \"$expected\":"
    cat "$work/refused.log"
    exit 1
  fi
}
refused abi::containers_with_GLIBCXX_DEBUG -std=c++20 -D_GLIBCXX_DEBUG
refused abi::containers_without_GLIBCXX_USE_CXX11_ABI -std=c++20 -D_GLIBCXX_USE_CXX11_ABI=0
refused "compile with -std=c++20" -std=c++17

# The loader knows the library by a path that leads to another one from where the program tunes, and its worker with it.
"$cxx" -std=c++20 "$consumer/tune_elsewhere.cpp" -o "$work/tune_elsewhere" $flags
beside=$(realpath --relative-to="$work" "$lib")
mkdir -p "$work/elsewhere/$beside/tessera" "$work/elsewhere/tessera"
for worker in "$work/elsewhere/$beside/tessera/tessera-worker" "$work/elsewhere/tessera/tessera-worker"; do
  printf '#!/bin/sh\ntouch "%s/fooled"\n' "$work" > "$worker"
  chmod +x "$worker"
done
path=$beside
said=$(run "$work" ./tune_elsewhere elsewhere) || true
if [ -e "$work/fooled" ] || [ "$said" != "ok " ]; then
  echo "tuned by another worker, or not at all: $said"
  exit 1
fi

# The command runs from where it was installed, with no path to the build.
"$work/prefix/bin/tessera" --version

# What was installed can be removed again.
cmake -DMANIFEST="$build/install_manifest_Unspecified.txt" -P "$source/tools/uninstall.cmake"
left=$(find "$work/prefix" ! -type d)
if [ -n "$left" ] || find "$work/prefix" -name tessera | grep .; then
  echo "left by uninstall: $left"
  exit 1
fi

# As a part of another project, Tessera leaves that project's libraries and installation alone.
cmake -S "$source/tests/package/subproject" -B "$work/subproject" -DTESSERA="$source" \
  -DCMAKE_CXX_COMPILER="$cxx" > "$work/subproject.log"
cmake --install "$work/subproject" --prefix "$work/ranker" > "$work/subproject.log"
[ "$(cd "$work/ranker" && find . -type f)" = "./share/ranker/CMakeLists.txt" ]
