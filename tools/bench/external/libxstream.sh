#!/bin/sh
# tools/bench/external/libxstream.sh LIBXSTREAM LIBXS FOLDER: builds FOLDER/libtessera-bench-libxstream.so from clones
# of libxstream (its sample "ozaki") and libxs.
set -eu
[ $# -eq 3 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
libxstream=$(cd "$1" && pwd) libxs=$(cd "$2" && pwd)
sample=$libxstream/samples/ozaki
mkdir -p "$3"
make -C "$libxs" GNU=1 FC= > /dev/null
make -C "$sample" LIBXSROOT="$libxs" GNU=1 FC= BLAS=0 CUBLAS=0 compile > /dev/null
cc -shared -fPIC -O2 -D__ACC -D__OPENCL -D__OFFLOAD_OPENCL -D__LIBXS -D__LIBXSTREAM -DLIBXSTREAM_SOURCE \
  -I "$here" -I "$sample" -I "$libxstream" -I "$libxs" "$here/libxstream.c" \
  "$sample"/obj/ozaki_gemm-c.o "$sample"/obj/ozaki_gemm3m-c.o "$sample"/obj/ozaki_opencl-c.o "$libxs/lib/libxs.a" \
  -fopenmp -lOpenCL -lm -ldl -o "$3/libtessera-bench-libxstream.so"
