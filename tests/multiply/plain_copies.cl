// Replaces cl/nvidia/bulk_copies.cl and tensor_maps.cl in a test on any device: the work-item that
// requests a copy makes it, and waiting is a barrier that all of the work-group reach.
#define LOCAL_ADDRESS(pointer) 0u  // of `stages`
#define make_barriers(barriers, arrivals)
#define publish_barriers()
#define expect_bytes(barrier_of_stage, bytes)
#define WAIT_FOR_STAGE(barrier_of_stage, phase) barrier(CLK_LOCAL_MEM_FENCE)

static inline void advance(uint* stage, uint* phase) {
  if (++*stage == STAGES) {
    *stage = 0;
    *phase ^= 1;
  }
}

#define BYTES_OF_MAP 128
#define MAP_OF_4_BYTES 2
#define NO_SWIZZLE 0
#define SWIZZLE_32 1
#define SWIZZLE_64 2
#define SWIZZLE_128 3

typedef struct {
  global const number* first;
  ulong inner, outer, pitch;
  uint swizzle;
} Map;

#define MAKE_MAP(map, draft, start, width, depth, stride, k_stride, along_k, box, tile_width, tile_depth, bytes,     \
                 type, exchange)                                                                                     \
  do {                                                                                                               \
    global Map* made = (global Map*)(map);                                                                           \
    made->first = start;                                                                                             \
    made->inner = (along_k) ? depth : width;                                                                         \
    made->outer = (along_k) ? width : depth;                                                                         \
    made->pitch = (along_k) ? stride : k_stride;                                                                     \
    made->swizzle = exchange;                                                                                        \
    (void)draft;                                                                                                     \
  } while (0)

static void copy_to(local number* tile, global const void* map, const bool along_k, const uint inner, const uint width,
                    const uint depth, const uint w, const uint p) {
  const global Map* from = (const global Map*)map;
  const uint rows = along_k ? width : depth, boxes = (along_k ? depth : width) / inner;
  const uint mask = from->swizzle == NO_SWIZZLE ? 0 : (1u << from->swizzle) - 1;
  for (uint box = 0; box < boxes; box++) {
    for (uint row = 0; row < rows; row++) {
      for (uint i = 0; i < inner; i++) {
        const ulong in_row = (along_k ? p : w) + box * inner + i, of_row = (along_k ? w : p) + row;
        const uint byte = (row * inner + i) * sizeof(number), place = byte ^ (byte >> 7 & mask) << 4;
        tile[box * rows * inner + place / sizeof(number)] =
            in_row < from->inner && of_row < from->outer ? from->first[of_row * from->pitch + in_row] : 0;
      }
    }
  }
}

#define copy_tile(to, map, along_k, inner, width, depth, w, p, bytes_of_number, barrier_of_stage) \
  copy_to(stages + (to) / sizeof(number), map, along_k, inner, width, depth, w, p)
