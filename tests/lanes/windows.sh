#!/bin/sh
# Lane: the library and the command for Windows, cross-compiled by mingw-w64, on this system's PoCL by way of Wine:
# devices, products, a solve, checks of two kernels, files with any names, and a tuner with kernels that fail.
#   windows.sh FOLDER    headers, build and Wine's files, created if they do not exist
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
wine=/usr/lib/wine/wine64
export WINEPREFIX="$folder/wine" WINEDEBUG=-all
unset DISPLAY
leave() { [ ! -e "$WINEPREFIX" ] || /usr/lib/wine/wineserver64 -k 2> /dev/null || true; }

need "MINGW-W64" 'command -v x86_64-w64-mingw32-g++-posix' from_apt g++-mingw-w64-x86-64-posix
need "WINE" '[ -x $wine ]' from_apt wine64
tools/install_dependencies.sh
timeout 120 "$wine" cmd /c exit 5 > "$work/out" 2>&1 || [ $? = 5 ] || skip "NO WINE THAT STARTS"

# The headers of this system's packages, apart from its C library's.
headers=$folder/headers
rm -rf "$headers"
mkdir -p "$headers/include" "$headers/share/cmake/fmt" "$headers/share/eigen3"
for part in fmt nlohmann CLI eigen3 CL xxhash.h xxh3.h; do cp -r "/usr/include/$part" "$headers/include/"; done
cp -r /usr/share/cmake/nlohmann_json /usr/share/cmake/CLI11 "$headers/share/cmake/"
cp -r /usr/share/eigen3/cmake "$headers/share/eigen3/"
cat > "$headers/share/cmake/fmt/fmt-config.cmake" <<'END'
add_library(fmt::fmt INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
cmake_path(SET include NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../include")
target_include_directories(fmt::fmt INTERFACE "${include}")
END

launcher=
! command -v ccache > /dev/null || launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
# The folder may hold the build of another source tree; ccache makes a fresh one quick.
quietly cmake --fresh -S . -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/lanes/windows.cmake" \
  -DTESSERA_HEADERS="$headers" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
  -DCMAKE_UNITY_BUILD=ON -DTESSERA_BUILD_TESTS=OFF -DTESSERA_WERROR=ON $launcher
quietly cmake --build "$folder/build" --parallel "$(nproc)"
echo "ok      cross-compiled"

# A folder with a blank and letters of several alphabets; Windows' path of it, by way of drive Z.
place="$work/Größe λ" place_there="Z:$work/Größe λ"
mkdir -p "$place"
libraries=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libstdc++-6.dll)")
export WINEPATH="Z:$folder/build/lib;Z:$libraries;Z:/usr/x86_64-w64-mingw32/lib" LC_ALL=C.UTF-8 \
  TESSERA_SELF_CHECK=300
tessera() { timeout 300 "$wine" "$folder/build/tools/tessera.exe" "$@" < /dev/null > "$work/out" 2>&1; }
# shows TEXT ARGUMENT...: the command must succeed, and its output must have the text.
shows() {
  text=$1
  shift
  if tessera "$@" && grep -q "$text" "$work/out"; then
    echo "ok      tessera $*: $(grep "$text" "$work/out" | tail -n 1)"
  else
    cat "$work/out"
    fail "tessera $*"
  fi
}
# refuses STATUS TEXT ARGUMENT...: the command must end with the status and one line, which has the text.
refuses() {
  wanted=$1 text=$2 status=0
  shift 2
  tessera "$@" || status=$?
  if [ $status = "$wanted" ] && [ "$(wc -l < "$work/out")" = 1 ] && grep -q "$text" "$work/out"; then
    echo "ok      tessera $*: status $status: $(cat "$work/out")"
  else
    cat "$work/out"
    fail "status $status: tessera $*"
  fi
}

shows 'AppData.Local.tessera.profiles' profile where
# PoCL is a library of this system, for which Windows' paths are no folders.
export XDG_CACHE_HOME="$place_there" XDG_STATE_HOME="$place_there" XDG_DATA_HOME="$place_there" \
  POCL_CACHE_DIR="$work/pocl"
shows 'Portable Computing Language' devices
shows '"file": ".*OpenCL.dll"' --version --json
shows '9000 of 9000 elements checked' multiply random:100x80 random:80x90 --verify
shows '3285 of 3285 elements checked' multiply random:45x64 random:64x73 --verify --dtype double
shows '3285 of 3285 elements checked' multiply random:45x64 random:64x73 --verify --dtype int8
shows 'eigenvalue 1.50021428' eigen hilbert:4 --tolerance 1e-12
shows '1 ok, 0 failed' check --operation multiply --variant direct --dtype float --largest 40
shows '2 ok, 0 failed' check --operation implicit_round --dtype double --largest 40

shows '6 x 5, k 4' multiply random:6x4:7 random:4x5:8 --dtype double -o "$place_there/ä b.npy"
python3 - "$place/ä b.npy" <<'END' || fail "the file that was written"
import ast, sys
content = open(sys.argv[1], "rb").read()
start = 10 + int.from_bytes(content[8:10], "little")
header = ast.literal_eval(content[10:start].decode())
assert header == {"descr": "<f8", "fortran_order": False, "shape": (6, 5)}, header
assert len(content) == start + 8 * 30, len(content)
END
shows 'largest error 0, .* 30 of 30 elements checked' multiply "$place_there/ä b.npy" identity:5 --dtype double --verify
printf '# text\r\n1,2\r\n3,5e-1\r\n' > "$place/c.csv"
shows '2 x 2, k 2' multiply identity:2 "$place_there/c.csv" --dtype double -o "$place_there/c.csv"
cmp "$place/c.csv" - <<'END' || fail "a file that was read and replaced"
1,2
3,0.5
END

# A worker process builds the program first, and leaves it in the cache.
export TESSERA_CACHE="$place_there/programs" TESSERA_LOG=info
shows 'naive.cl from the cache' multiply ones:9x9 ones:9x9 --kernel naive
ls "$place"/programs/*.bin > /dev/null || fail "no program in the cache"
unset TESSERA_CACHE TESSERA_LOG

refuses 2 "ü b.npy: No such file" multiply "$place_there/ü b.npy" ones:2x2
refuses 2 'no command "mulitply"' mulitply
refuses 2 "libtessera-blas does not exist" blas program
refuses 3 "no device" devices --device nonsense

# Kernels that are wrong, crash and never end, each in a worker process that the tuner must survive.
replace_kernel row_tile 'if (get_global_id(0) == 0) c[0] = 0;'
replace_kernel tiled_static '*(volatile global int*)(ulong)8 = 1;'
replace_kernel naive 'while (((volatile global uint*)c)[0] != 12345u) {}'
tuned() {
  variant=$1
  shift
  shows 'checked  *the winner is right' tune multiply --size 64 --budget 60s --variant "$variant" "$@"
}
export TESSERA_KERNEL_DIR="Z:$work/cl"
for case in 'row_tile wrong' 'tiled_static crashed' 'naive run timeout'; do
  tuned "${case%% *}" --max-evaluations 2
  cat "$place"/tessera/tuning/*.jsonl | grep -q "\"variant\":\"${case%% *}\".*\"outcome\":\"${case#* }\"" || fail "no trial at: $case"
done

# Another kernel wins if the default one is slow, and later runs use it.
sed 's/^  Rectangle part;$/&\n  for (volatile uint wait = 0; wait < 3000000; wait++) {}/' cl/multiply/direct.cl \
  > "$work/cl/multiply/direct.cl"
tuned tiled_dynamic --max-evaluations 3
grep -q '^result .*saved in' "$work/out" || { cat "$work/out" && fail "a default that waits has won"; }
unset TESSERA_KERNEL_DIR
export TESSERA_LOG=info
shows 'tiled_dynamic .*(tuned for multiply float 64 x 64 x 64)' multiply random:64x64 random:64x64
unset TESSERA_LOG

# Succeeds if a worker of this lane is alive.
workers() {
  for comm in $(grep -l '^tessera-worker' /proc/[0-9]*/comm 2> /dev/null); do
    ! grep -aq "WINEPREFIX=$WINEPREFIX" "${comm%comm}environ" 2> /dev/null || return 0
  done
  return 1
}
# eventually CONDITION...: waits for half a minute.
eventually() {
  for _ in $(seq 150); do
    if "$@"; then return; fi
    sleep 0.2
  done
  return 1
}
no_workers() { ! workers; }
"$wine" "$folder/build/tools/tessera.exe" tune multiply --size 96 --budget 100s > /dev/null 2>&1 < /dev/null &
tuner=$!
eventually workers || fail "no worker is running"
kill -9 $tuner
wait $tuner 2> /dev/null || true
eventually no_workers || fail "a worker is still running after its tuner was killed"
echo "ok      workers end with their tuner"
