// Tensor maps: matrices in global memory from which bulk copies take boxes, with zeros where a box reaches beyond the
// matrix (NVIDIA, from Hopper on; PTX ISA 8.3, "tensormap.replace", "tensormap.cp_fenceproxy"; 8.0,
// "cp.async.bulk.tensor").
// Each work-group makes its own maps because the host does not know the addresses of OpenCL's buffers.
// The tile of an operand in local memory, `width` rows of A, or columns of B, by `depth`, is a row of boxes:
//   along k     [box of inner numbers of k][width][inner]
//   else        [box of inner rows or columns][depth][inner]
// With SWIZZLE_32, _64 or _128, for inner numbers of so many bytes, pieces of 16 bytes are exchanged, so that the
// pieces of a column are in different banks. Bits 4, 4 to 5, or 4 to 6 of a place are xored with bits 7, 7 to 8, or 7
// to 9.

#include "common/element.cl"
#include "nvidia/bulk_copies.cl"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#define SET_IN_MAP(draft, field, type, constraint, value)                                                             \
  asm volatile("//@tensormap.replace.tile." field ".shared::cta.b1024." type ";" ::"r"(draft), constraint(value) \
               : "memory")
#define CHOOSE_IN_MAP(draft, field, choice)                                                                 \
  asm volatile("//@tensormap.replace.tile." field ".shared::cta.b1024.b32 [%0], " STRING(choice) ";" ::"r"( \
                   draft)                                                                                   \
               : "memory")

// Codes of PTX: numbers of 1, 2, 4 and 8 bytes; no swizzle, and swizzles of 32, 64 and 128 bytes.
#define MAP_OF_1_BYTE 0
#define MAP_OF_2_BYTES 1
#define MAP_OF_4_BYTES 2
#define MAP_OF_8_BYTES 4
#define NO_SWIZZLE 0
#define SWIZZLE_32 1
#define SWIZZLE_64 2
#define SWIZZLE_128 3

#define BYTES_OF_MAP 128

// Makes the map of an operand whose element (w, p) is number w * stride + p * k_stride of `first`. One stride is 1, the
// other a multiple of 16 bytes. The map's boxes are for tiles of tile_width by tile_depth; `draft` is local memory for
// one map. Called by one warp.
#define MAKE_MAP(map, draft, first, width, depth, stride, k_stride, along_k, inner, tile_width, tile_depth, bytes,    \
                 type, swizzle)                                                                                       \
  do {                                                                                                                \
    const uint at_ = LOCAL_ADDRESS(draft), lane_ = get_local_id(0) % 32;                                              \
    (draft)[lane_] = 0;                                                                                               \
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");                                                           \
    if (lane_ == 0) {                                                                                                 \
      SET_IN_MAP(at_, "global_address", "b64 [%0], %1", "l", first);                                                  \
      SET_IN_MAP(at_, "rank", "b32 [%0], %1", "r", 1);                                                                \
      SET_IN_MAP(at_, "box_dim", "b32 [%0], 0, %1", "r", inner);                                                      \
      SET_IN_MAP(at_, "box_dim", "b32 [%0], 1, %1", "r", along_k ? tile_width : tile_depth);                          \
      SET_IN_MAP(at_, "global_dim", "b32 [%0], 0, %1", "r", (uint)(along_k ? depth : width));                         \
      SET_IN_MAP(at_, "global_dim", "b32 [%0], 1, %1", "r", (uint)(along_k ? width : depth));                         \
      SET_IN_MAP(at_, "global_stride", "b64 [%0], 0, %1", "l", (along_k ? stride : k_stride) * bytes);                \
      SET_IN_MAP(at_, "element_stride", "b32 [%0], 0, %1", "r", 1);                                                   \
      SET_IN_MAP(at_, "element_stride", "b32 [%0], 1, %1", "r", 1);                                                   \
      CHOOSE_IN_MAP(at_, "elemtype", type);                                                                           \
      CHOOSE_IN_MAP(at_, "interleave_layout", 0);                                                                     \
      CHOOSE_IN_MAP(at_, "swizzle_mode", swizzle);                                                                    \
      CHOOSE_IN_MAP(at_, "fill_mode", 0);                                                                             \
    }                                                                                                                 \
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");                                                           \
    asm volatile("//@tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "         \
                 "[%0], [%1], 128;" ::"l"(map),                                                                       \
                 "r"(at_)                                                                                             \
                 : "memory");                                                                                         \
    asm volatile("//@fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");                   \
  } while (0)

// Copies the box whose first number is (outer, inner) to a multiple of 128 bytes. Called by one work-item.
static inline void copy_box(const uint to, global const void* map, const uint inner, const uint outer,
                            const uint barrier_of_stage) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(map), "r"(inner), "r"(outer), "r"(barrier_of_stage)
      : "memory");
}

// Copies the tile of an operand that begins at row or column w and at p. Called by one work-item.
inlined void copy_tile(const uint to, global const void* map, const bool along_k, const uint inner, const uint width,
                       const uint depth, const uint w, const uint p, const uint bytes_of_number,
                       const uint barrier_of_stage) {
  const uint boxes = (along_k ? depth : width) / inner;
  const uint bytes_of_box = inner * (along_k ? width : depth) * bytes_of_number;
#pragma unroll
  for (uint box = 0; box < boxes; box++) {
    const uint first = (along_k ? p : w) + box * inner;
    copy_box(to + box * bytes_of_box, map, first, along_k ? w : p, barrier_of_stage);
  }
}
