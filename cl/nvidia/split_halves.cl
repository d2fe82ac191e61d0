// Panels of halves for wgmma, two per float. A row of A, or a column of B, of floats is scaled by a power of two, so
// that its largest element is in [2^14, 2^15). An element becomes the nearest half and the half nearest to the
// remainder: 22 bits, or 2^-39 of the largest (Ootomo and Yokota, "Recovering single precision accuracy from Tensor
// Cores while surpassing the FP32 theoretical peak performance", IJHPCA 36, 2022).
// A complex product becomes a real one. A row of A has the parts of its values in turn. Column c of B becomes rows 2 c
// and 2 c + 1 of the panels, for the real and the imaginary parts of C.
//   TILE_K  depth of a stage, in numbers: a multiple of 16

#include "common/complex.cl"
#include "nvidia/halves.cl"

#ifndef TILE_K
#error "TILE_K is not defined"
#endif

#if ELEMENT != 0
#error "ELEMENT is not float"
#endif

// Panels: for each TILE_K of the depth all rows, 8 at a time; of those 8 rows, core matrices of 8 halves of each, the
// larger and the smaller halves of 16 after one another: so a block's stage is contiguous. In units of 16 bytes:
#define UNITS_OF_8_ROWS (8 * TILE_K / 8 * 2)

static inline ulong unit_of(const ulong rows, const ulong row, const ulong k8) {
  const uint in_stage = k8 % (TILE_K / 8);
  return (k8 / (TILE_K / 8) * (rows / 8) + row / 8) * UNITS_OF_8_ROWS + (in_stage / 2 * 4 + in_stage % 2) * 8 +
         row % 8;
}

// The power of two, as exponent, by which a row with this largest magnitude is scaled: none if it is not finite; a row
// of subnormals like one of the smallest normal numbers.
static inline int shift_of(const uint largest) {
  return largest == 0 || largest >= 0x7f800000 ? 0 : 141 - (int)max(largest >> 23, 1u);
}

static inline float power_of_two(const int exponent) { return as_float((uint)(exponent + 127) << 23); }

// x * 2^shift, in two steps, because a float has exponents of -126 to 127 only. A shift below -252 makes every x zero.
static inline float scaled(const float x, const int shift) {
  const int whole = max(shift, -252), first = whole >> 1;
  return x * power_of_two(first) * power_of_two(whole - first);
}

// The rows of A, or the columns of B: element (w, p) is at offset + w * stride + p * k_stride.
typedef struct {
  ulong offset, width, stride, k_stride;
  ulong rows;    // of the panels: whole blocks
  ulong groups;  // work-groups that read it: 32 rows or columns each, or that pack it: 32 rows of the panels each
} Side;

// The larger magnitude of a value's parts, as bits, which are ordered like the numbers.
static inline uint magnitude_of(const entry z) {
  return max(as_uint(fabs(PART_OF(z, 0))), as_uint(fabs(PART_OF(z, PARTS - 1))));
}

// Finds the largest magnitudes of A's rows and B's columns, for each row of the panels; numbers that are not finite are
// largest. A work-group reads 32 rows. Dimension 1 splits the depth, and part p writes row 1 + p of `largest`; row 0 is
// for the maxima over the whole depth.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void multiply_largest_of_rows(const ulong depth, global const entry* restrict a, const Side a_side,
                              global const entry* restrict b, const Side b_side, global uint* restrict largest) {
  local uint found[32];
  const uint lane = get_local_id(0), row = get_local_id(1);
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const ulong w0 = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * 32, step = (ulong)get_num_groups(1) * 32;
  global const entry* x = (is_a ? a : b) + side.offset;
  largest += (get_group_id(1) + 1) * (a_side.rows + b_side.rows) + (is_a ? 0 : a_side.rows);
  if (row == 0) found[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (side.k_stride == 1) {
    for (uint r = row; r < 32 && w0 + r < side.width; r += 8) {
      uint maximum = 0;
      for (ulong p = (ulong)get_group_id(1) * 32 + lane; p < depth; p += step)
        maximum = max(maximum, magnitude_of(x[(w0 + r) * side.stride + p]));
      if (maximum > 0) atomic_max(&found[r], maximum);
    }
  } else if (w0 + lane < side.width) {
    uint maximum = 0;
    for (ulong p0 = (ulong)get_group_id(1) * 32; p0 < depth; p0 += step) {
#pragma unroll
      for (uint r = 0; r < 32; r += 8) {
        const ulong p = p0 + row + r;
        if (p < depth) maximum = max(maximum, magnitude_of(x[(w0 + lane) * side.stride + p * side.k_stride]));
      }
    }
    atomic_max(&found[lane], maximum);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint rows = is_a ? 1 : PARTS;
  if (row < rows) largest[(w0 + lane) * rows + row] = found[lane];
}

// Returns the largest magnitude over the whole depth of row item % 32 of this work-group. Called by all 256 work-items.
inlined uint largest_of_parts(global const uint* largest, const ulong step, const uint parts, local uint found[8][32]) {
  const uint item = get_local_id(0), row = item % 32;
  uint maximum = 0;
  for (uint part = item / 32; part < parts; part += 8) maximum = max(maximum, largest[(part + 1) * step + row]);
  found[item / 32][row] = maximum;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint other = 0; other < 8; other++) maximum = max(maximum, found[other][row]);
  return maximum;
}

#define VALUES (8 / PARTS)  // of 8 numbers

// The numbers of `count` values, fewer than 1 are none, and zeros.
inlined void load_8(float numbers[8], global const entry* x, const ulong stride, const long count) {
  if (stride == 1 && count == VALUES && (ulong)x % 16 == 0) {
    const float4 low = *(global const float4*)x, high = *((global const float4*)x + 1);
    numbers[0] = low.x, numbers[1] = low.y, numbers[2] = low.z, numbers[3] = low.w;
    numbers[4] = high.x, numbers[5] = high.y, numbers[6] = high.z, numbers[7] = high.w;
  } else {
#pragma unroll
    for (uint e = 0; e < VALUES; e++) {
      value z = 0;
      if (e < count) z = LOAD_VALUE(x, e * stride);
#pragma unroll
      for (uint part = 0; part < PARTS; part++) numbers[e * PARTS + part] = PART_OF(z, part);
    }
  }
}

#ifdef COMPLEX
// Makes parts of values of A, or of column c of B, the numbers of a row of the panels. Row 2 c of B's panels has
// (x, -y) for the parts (x, y), and row 2 c + 1 has (y, x).
inlined void turn(float numbers[8], const bool is_a, const bool is_odd) {
#pragma unroll
  for (uint e = 0; e < VALUES; e++) {
    const value read[] = {OF_PARTS(numbers + 2 * e)}, of_b = LOAD_B(read, 0);
    const value turned = is_a ? LOAD_A(read, 0) : is_odd ? of_b.yx : conjugated(of_b);
    numbers[2 * e] = turned.x;
    numbers[2 * e + 1] = turned.y;
  }
}
#endif

// Work-groups split the packing: in dimension 0 the first ones pack A and the others B, dimension 1 splits the depth.
// Numbers outside of the operand are zero. Row 0 of `largest` becomes the maximum of the `parts` others.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void multiply_pack_halves(const ulong depth, global const entry* restrict a, const Side a_side,
                          global uint4* restrict a_panels, global const entry* restrict b, const Side b_side,
                          global uint4* restrict b_panels, global uint* restrict largest, const uint parts) {
  local uint found[8][32], of_rows[32];
  const uint item = get_local_id(0);
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  global uint4* panels = is_a ? a_panels : b_panels;
  const bool along_k = side.k_stride == 1;
  const uint in_row = along_k ? item / 8 : item % 32, in_k8 = along_k ? item % 8 : item / 32;
  const ulong first = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * 32, row = first + in_row,
              w = is_a ? row : row / PARTS;
  global uint* of_group = largest + (is_a ? 0 : a_side.rows) + first;
  const uint maximum = largest_of_parts(of_group, a_side.rows + b_side.rows, parts, found);
  if (item < 32) of_rows[item] = maximum;
  if (item < 32 && get_group_id(1) == 0) of_group[item] = maximum;
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong units = (PARTS * depth + TILE_K - 1) / TILE_K * (TILE_K / 8);
  global const entry* x = (is_a ? a : b) + side.offset + w * side.stride;
  const int shift = shift_of(of_rows[in_row]);
  for (ulong k8 = (ulong)get_group_id(1) * 8 + in_k8; k8 < units; k8 += (ulong)get_num_groups(1) * 8) {
    float numbers[8];
    load_8(numbers, x + k8 * VALUES * side.k_stride, side.k_stride,
           w < side.width ? min((long)VALUES, (long)depth - (long)(k8 * VALUES)) : 0);
#ifdef COMPLEX
    turn(numbers, is_a, row % 2 != 0);
#endif
    uint packed[4];
    uint rest[4];
#pragma unroll
    for (uint e = 0; e < 4; e++) {
      const float2 pair = (float2)(scaled(numbers[2 * e], shift), scaled(numbers[2 * e + 1], shift));
      packed[e] = two_halves(pair.x, pair.y);
      const float2 taken = two_floats(packed[e]);
      rest[e] = two_halves(pair.x - taken.x, pair.y - taken.y);
    }
    panels[unit_of(side.rows, row, k8) + 16] = (uint4)(rest[0], rest[1], rest[2], rest[3]);
    panels[unit_of(side.rows, row, k8)] = (uint4)(packed[0], packed[1], packed[2], packed[3]);
  }
}
