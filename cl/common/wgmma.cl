// Products of a warp-group's 128 work-items by the tensor cores of NVIDIA's Hopper (PTX ISA 8.0, "wgmma"): 64 x 128
// floats from halves in local memory. OpenCL C compiles for a target that lacks these instructions: each line that
// begins with "//@" is a comment to that compiler, and the library builds the PTX again for one that has them.

#define WARP_GROUP 128

#define OUT_4(d, e) "+f"((d)[e]), "+f"((d)[e + 1]), "+f"((d)[e + 2]), "+f"((d)[e + 3])
#define OUT_16(d, e) OUT_4(d, e), OUT_4(d, e + 4), OUT_4(d, e + 8), OUT_4(d, e + 12)
#define OUT_64(d) OUT_16(d, 0), OUT_16(d, 16), OUT_16(d, 32), OUT_16(d, 48)
#define REGISTERS                                                            \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"  \
  "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37," \
  "%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55," \
  "%56,%57,%58,%59,%60,%61,%62,%63}"

// The sums d[64] of this work-item: d += A * B, or d = A * B where `add` is 0. A (64 x 16) and B (16 x 128) are given
// by descriptors.
#define wgmma(d, a, b, add)                                                                         \
  asm volatile(                                                                                     \
      "//@{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " \
      REGISTERS ", %64, %65, p, 1, 1, 0, 0;}"                                                       \
      : OUT_64(d)                                                                                   \
      : "l"(a), "l"(b), "r"(add))
#define wgmma_fence() asm volatile("//@wgmma.fence.sync.aligned;" ::: "memory")
#define wgmma_commit() asm volatile("//@wgmma.commit_group.sync.aligned;" ::: "memory")
// Waits until at most `pending` committed groups are under way.
#define wgmma_wait(pending) asm volatile("//@wgmma.wait_group.sync.aligned " #pending ";" ::: "memory")
// Waits for all, whose sums are in d then.
#define wgmma_wait_for(d) asm volatile("//@wgmma.wait_group.sync.aligned 0;" : OUT_64(d)::"memory")

#define more_registers(count) asm volatile("//@setmaxnreg.inc.sync.aligned.u32 " #count ";" ::: "memory")
#define fewer_registers(count) asm volatile("//@setmaxnreg.dec.sync.aligned.u32 " #count ";" ::: "memory")

// Of a matrix without swizzle, in core matrices of 8 rows of 16 bytes: the next one along k is 128 bytes further, the
// next 8 rows are `row_step` bytes further.
static inline ulong wgmma_descriptor(const uint address, const uint row_step) {
  return (ulong)(address >> 4 & 0x3fff) | (ulong)(128 / 16) << 16 | (ulong)(row_step / 16) << 32;
}
