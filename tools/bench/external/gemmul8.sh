#!/bin/sh
# tools/bench/external/gemmul8.sh CLONE FOLDER: builds FOLDER/libtessera-bench-gemmul8.so from a clone of GEMMul8 with
# CUDA's nvcc, for the present GPU, or compute capability $CUDA_ARCH (90a). It takes some minutes.
set -eu
[ $# -eq 2 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
here=$(dirname "$0")
arch=${CUDA_ARCH:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)}
mkdir -p "$2"
nvcc -std=c++20 -O3 -shared -Xcompiler -fPIC -diag-suppress 177 -gencode "arch=compute_$arch,code=sm_$arch" \
  -I "$here" -I "$1/GEMMul8/include" "$here/gemmul8.cu" "$1/GEMMul8/src/gemmul8.cu" \
  -lcublas -lcublasLt -lcuda -o "$2/libtessera-bench-gemmul8.so"
