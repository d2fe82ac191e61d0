// Staging: blocks of A and B, TILE_K deep, from global memory into local memory by the ITEMS work-items of a group.
//   TILE_M, TILE_N, TILE_K  block of C of a work-group, depth of the blocks
//   WORK_M, WORK_N          block of C of a work-item
//   VECTOR  numbers that are moved at once: 1, 2 or 4; VECTOR * ITEMS divides TILE_M * TILE_K and TILE_N * TILE_K
//   PAD     numbers between rows of a block, against conflicts in local memory; a multiple of VECTOR
// Loops of a known length are unrolled. GPUs need this to keep numbers in registers. PoCL 6.0 otherwise splits the
// loops at barriers of its own, and in one cold compile of four treats a work-item's variable that lives past a barrier
// as common to all work-items.

#include "common/element.cl"

#if !defined(TILE_M) || !defined(TILE_N) || !defined(TILE_K)
#error "TILE_M, TILE_N or TILE_K is not defined"
#endif
#if !defined(WORK_M) || !defined(WORK_N)
#error "WORK_M or WORK_N is not defined"
#endif
#if !defined(VECTOR) || !defined(PAD)
#error "VECTOR or PAD is not defined"
#endif

#define ITEMS_M (TILE_M / WORK_M)
#define ITEMS_N (TILE_N / WORK_N)
#define ITEMS (ITEMS_M * ITEMS_N)

#if VECTOR > 1
typedef JOIN(NUMBER, VECTOR) Numbers;
#define STORE_PRIVATE(value, pointer) JOIN(vstore, VECTOR)(value, 0, pointer)
#if ELEMENT == 3
#define LOAD_ELEMENTS(pointer) JOIN(vloada_half, VECTOR)(0, pointer)
#elif ELEMENT == 5
typedef JOIN(ushort, VECTOR) Shorts;
static inline Numbers widen(const Shorts shorts) {
  return JOIN(as_float, VECTOR)(JOIN(convert_uint, VECTOR)(shorts) << 16);
}
#define LOAD_ELEMENTS(pointer) widen(*(global const Shorts*)(pointer))
#elif ELEMENT == 4
typedef JOIN(char, VECTOR) Bytes;
static inline Numbers widen(const Bytes bytes) { return JOIN(as_uint, VECTOR)(JOIN(convert_int, VECTOR)(bytes)); }
#define LOAD_ELEMENTS(pointer) widen(*(global const Bytes*)(pointer))
#else
#define LOAD_ELEMENTS(pointer) (*(global const Numbers*)(pointer))
#endif
#endif

// Place of the piece number `piece` of this work-item in a block of TILE_K x width elements. Neighbours
// in the work-group take neighbours in global memory: along k where that is contiguous.
static inline uint2 place_of(const uint piece, const uint width, const bool along_k) {
  const uint e = (get_local_id(0) + piece * ITEMS) * VECTOR;
  return along_k ? (uint2)(e % TILE_K, e / TILE_K) : (uint2)(e / width, e % width);
}

// True if pieces of VECTOR elements of an operand are contiguous and aligned.
static inline bool has_vectors(global const element* x, const ulong k_stride, const ulong stride) {
  const bool along_k = k_stride == 1;
  return (along_k || stride == 1) && (along_k ? stride : k_stride) % VECTOR == 0 &&
         (uintptr_t)x % (VECTOR * sizeof(element)) == 0;
}

// Pieces of a block from global memory, which starts at p = p0: element (p, o) of the operand is
// x[p * k_stride + o * stride], and zero from k and left on.
static inline void fetch(number* pieces, const uint width, global const element* x, const ulong p0, const ulong k,
                         const ulong k_stride, const ulong left, const ulong stride) {
  const uint p_step = k_stride == 1 ? 1 : 0, o_step = 1 - p_step;  // within a piece
#pragma unroll
  for (uint piece = 0; piece < width * TILE_K / (ITEMS * VECTOR); piece++) {
    const uint2 place = place_of(piece, width, k_stride == 1);
#if VECTOR > 1
    if (has_vectors(x, k_stride, stride) && p0 + place.x + p_step * (VECTOR - 1) < k &&
        place.y + o_step * (VECTOR - 1) < left) {
      STORE_PRIVATE(LOAD_ELEMENTS(x + (p0 + place.x) * k_stride + place.y * stride), pieces + piece * VECTOR);
      continue;
    }
#endif
#pragma unroll
    for (uint v = 0; v < VECTOR; v++) {
      const ulong p = p0 + place.x + v * p_step, o = place.y + v * o_step;
      pieces[piece * VECTOR + v] = p < k && o < left ? LOAD(x, p * k_stride + o * stride) : 0;
    }
  }
}

// The pieces into local memory, as rows of width elements of the same p.
static inline void stage(const number* pieces, const uint width, local number* block, const ulong k_stride) {
#pragma unroll
  for (uint piece = 0; piece < width * TILE_K / (ITEMS * VECTOR); piece++) {
    const uint2 place = place_of(piece, width, k_stride == 1);
    local number* to = block + place.x * (width + PAD) + place.y;
#if VECTOR > 1
    if (k_stride != 1) {
      *(local Numbers*)to = JOIN(vload, VECTOR)(0, pieces + piece * VECTOR);
      continue;
    }
#endif
#pragma unroll
    for (uint v = 0; v < VECTOR; v++) to[v * (width + PAD)] = pieces[piece * VECTOR + v];
  }
}
