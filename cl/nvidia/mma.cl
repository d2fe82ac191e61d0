// Products of a warp by the tensor cores of NVIDIA's GPUs from Ampere on (PTX ISA 7.0, "mma.sync"): elements of 16
// bits, summed in float. Lane 4 g + t has rows g and g + 8, and columns 2 t and 2 t + 1, of a 16 x 8 block of sums.

#include "common/element.cl"
#include "nvidia/halves.cl"
#include "nvidia/matrices.cl"

// d += A * B: A is 16 x 16, in four words, B 16 x 8, in two.
inlined void multiply_halves(float d[4], const uint a[4], const uint b[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32." SHORT_TYPE "." SHORT_TYPE ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
