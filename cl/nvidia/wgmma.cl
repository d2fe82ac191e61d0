// Products of a warp-group's 128 work-items by the tensor cores of NVIDIA's Hopper (PTX ISA 8.0, "wgmma"): 64 x 64 to
// 64 x 256 floats from halves in local memory, or integers from bytes. OpenCL C compiles for a target that lacks these
// instructions: each line that begins with "//@" is a comment to that compiler, and the library builds the PTX again
// for one that has them.
//   INTEGER_SUMS  defined where the sums are integers
//   TILE_N        columns of B of a wide product: 64, 128, 192 or 256

#define WARP_GROUP 128

#ifdef INTEGER_SUMS
#define OUT "+r"
#else
#define OUT "+f"
#endif
#define OUT_4(d, e) OUT((d)[e]), OUT((d)[e + 1]), OUT((d)[e + 2]), OUT((d)[e + 3])
#define OUT_16(d, e) OUT_4(d, e), OUT_4(d, e + 4), OUT_4(d, e + 8), OUT_4(d, e + 12)
#define OUT_32(d, e) OUT_16(d, e), OUT_16(d, e + 16)
#define OUT_64(d, e) OUT_32(d, e), OUT_32(d, e + 32)
#define REGISTERS_32                                                       \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19," \
  "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define REGISTERS_64                                                                                           \
  REGISTERS_32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54," \
               "%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define REGISTERS_96                                                                                           \
  REGISTERS_64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86," \
               "%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define REGISTERS_128                                                                                   \
  REGISTERS_96 ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113," \
               "%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"

// The sums d[64] of this work-item: d += A * B, or d = A * B where `add` is 0. A (64 x 16) and B (16 x 128) are given
// by descriptors, along k.
#define WGMMA(d, a, b, add)                                                                           \
  asm volatile(                                                                                       \
      "//@{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " \
      "{" REGISTERS_64 "}, %64, %65, p, 1, 1, 0, 0;}"                                                 \
      : OUT_64(d, 0)                                                                                  \
      : "l"(a), "l"(b), "r"(add))

// Operands of an instruction for a product with TILE_N columns: its shape, the sums, and the descriptors after them.
#if TILE_N == 64
#define WGMMA_SHAPE "m64n64"
#define WGMMA_SUMS "{" REGISTERS_32 "}, %32, %33"
#define OUT_SUMS(d) OUT_32(d, 0)
#elif TILE_N == 128
#define WGMMA_SHAPE "m64n128"
#define WGMMA_SUMS "{" REGISTERS_64 "}, %64, %65"
#define OUT_SUMS(d) OUT_64(d, 0)
#elif TILE_N == 192
#define WGMMA_SHAPE "m64n192"
#define WGMMA_SUMS "{" REGISTERS_96 "}, %96, %97"
#define OUT_SUMS(d) OUT_64(d, 0), OUT_32(d, 64)
#else
#define WGMMA_SHAPE "m64n256"
#define WGMMA_SUMS "{" REGISTERS_128 "}, %128, %129"
#define OUT_SUMS(d) OUT_64(d, 0), OUT_64(d, 64)
#endif

// Adds A * B to the sums d[TILE_N / 2] of this work-item, with A 64 x 16 and B 16 x TILE_N. The operands are stored
// along k, or across it where a_across and b_across are the literal 1.
#define WGMMA_WIDE(d, a, b, a_across, b_across)                                                                \
  asm volatile("//@wgmma.mma_async.sync.aligned." WGMMA_SHAPE "k16.f32." SHORT_TYPE "." SHORT_TYPE " " WGMMA_SUMS ", 1, 1, 1, " a_across "," \
               b_across ";"                                                                                    \
               : OUT_SUMS(d)                                                                                   \
               : "l"(a), "l"(b))
// The same of integers of a byte, along k: A is 64 x 32, B 32 x TILE_N.
#define WGMMA_WIDE_BYTES(d, a, b)                                                           \
  asm volatile("//@wgmma.mma_async.sync.aligned." WGMMA_SHAPE "k32.s32.s8.s8 " WGMMA_SUMS ", 1;"    \
               : OUT_SUMS(d)                                                                \
               : "l"(a), "l"(b))
#define WGMMA_FENCE() asm volatile("//@wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT() asm volatile("//@wgmma.commit_group.sync.aligned;" ::: "memory")
// Waits until at most `pending` committed groups are in flight.
#define WGMMA_WAIT(pending) asm volatile("//@wgmma.wait_group.sync.aligned " #pending ";" ::: "memory")
// Waits for all, whose sums are in d then.
#define WGMMA_WAIT_FOR(d) asm volatile("//@wgmma.wait_group.sync.aligned 0;" : OUT_64(d, 0)::"memory")
#define WGMMA_WAIT_FOR_WIDE(d) asm volatile("//@wgmma.wait_group.sync.aligned 0;" : OUT_SUMS(d)::"memory")

#define MORE_REGISTERS(count) asm volatile("//@setmaxnreg.inc.sync.aligned.u32 " #count ";" ::: "memory")
#define FEWER_REGISTERS(count) asm volatile("//@setmaxnreg.dec.sync.aligned.u32 " #count ";" ::: "memory")

// Descriptor of a matrix without swizzle, in core matrices of 8 rows of 16 bytes: the next one along k is 128 bytes
// further, the next 8 rows are `row_step` bytes further.
static inline ulong wgmma_descriptor(const uint address, const uint row_step) {
  return (ulong)(address >> 4 & 0x3fff) | (ulong)(128 / 16) << 16 | (ulong)(row_step / 16) << 32;
}

// Descriptor of a tile in rows of 128 bytes, as tensor maps write it with SWIZZLE_128. Along k, the rows are rows of A
// or columns of B. Across k, a row is 64 of these, and the next 64 are `step` bytes further.
static inline ulong wgmma_descriptor_of_rows(const uint address, const uint step) {
  return (ulong)(address >> 4 & 0x3fff) | (ulong)(step / 16) << 16 | (ulong)(1024 / 16) << 32 | 1ul << 62;
}
