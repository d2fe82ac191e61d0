#!/bin/sh
# Lane: programs of all kernels are compiled for GPUs that this machine does not have: AMD's CDNA and RDNA by Clang,
# Intel's Xe by Intel's offline compiler, NVIDIA's from Ampere to Blackwell by Clang and NVIDIA's assembler. Nothing
# runs. tests/elsewhere/devices describes the GPUs.
#   compile_elsewhere.sh FOLDER             a fifth of the programs, another one each time; FOLDER gets the compilers
#   compile_elsewhere.sh FOLDER all TABLE   all of them; TABLE is a file that gets the registers of each kernel
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
tools=$(cd "$1" && pwd) form=${2:-share} table=${3:-$work/table}

need "CLANG 22 AND ITS BUILT-IN FUNCTIONS" \
  'command -v clang-22 && command -v ld.lld-22 && ls /usr/lib/clc/nvptx64--nvidiacl.bc /usr/lib/x86_64-linux-gnu/amdgcn/bitcode' \
  from_apt clang-22 lld-22 libclc-22 rocm-device-libs
# Not installed: a driver without a device would slow every other program down.
intel() {
  (cd "$tools" && apt-get download intel-opencl-icd libigc1 libigdfcl1 && for package in *.deb; do dpkg -x "$package" .; done) \
    > /dev/null 2>&1
}
need "INTEL'S OFFLINE COMPILER" 'find "$tools" -name libocloc.so | grep .' intel
need "NVIDIA'S ASSEMBLER" 'find "$tools" -name ptxas | grep .' from_pypi "$tools/python" nvidia-cuda-nvcc-cu12==12.9.86

TESSERA_TARGET=kernel-programs tools/build.sh

share=$(($(random_seed) % 5 + 1))/5
[ "$form" = share ] || share=1/1
echo "share $share"
# programs CAPABILITIES SHARE: writes them to $work/programs.
programs() {
  rm -rf "$work/programs"
  mkdir "$work/programs"
  build/tests/kernel-programs "$1" "$work/programs" "$2" > "$work/programs/list"
}
compiled() { python3 tests/elsewhere/compile.py "$1" "$work/programs" --tools "$tools" --table "$table"; }

# The lane sees what a GPU does not have: wgmma on Blackwell.
sed 's/"has_wgmma": false/"has_wgmma": true/' tests/elsewhere/devices/sm_100a.json > "$work/wrong.json"
programs "$work/wrong.json" 1/1
sed -i '/tensor_core_int8/!d' "$work/programs/list"
if compiled sm_100a > "$work/log"; then fail "wgmma is accepted for sm_100a"; fi
grep -q "wgmma.*not supported on .target 'sm_100a'" "$work/log" || { cat "$work/log" && fail "another error than that of wgmma"; }
echo "ok      wgmma is refused for sm_100a"
: > "$table"

failed=
for device in tests/elsewhere/devices/*.json; do
  target=$(basename "$device" .json)
  programs "$device" "$share"
  compiled "$target" || failed="$failed $target"
done
[ -z "$failed" ] || fail "programs for$failed"
