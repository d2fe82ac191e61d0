// Scales of rows for products by residues (see residue_planes.cl).
//   LARGEST  the square of the norm that scaled rows and columns may have

#include "nvidia/residues.cl"

#define ROWS_OF_NORMS 16
#define TOGETHER_IN_NORMS 8  // elements that a work-item reads at once

#define NOT_FINITE INT_MAX  // as a shift

// The rows of A, or the columns of B: element (w, p) is number offset + w * stride + p * k_stride.
typedef struct {
  ulong offset, width, stride, k_stride;
  ulong first;   // its shifts begin there
  ulong rows;    // the width up to whole blocks
  ulong groups;  // work-groups that read them, or pack them
} Side;

static inline double power_of_two(const int exponent) { return as_double((ulong)(exponent + 1023) << 52); }

// x * 2^shift, in two steps, because a double has exponents of -1022 to 1023 only. In the uses below, a shift below
// -2044 makes every x zero, and a shift above 2046 makes it infinite.
static inline double scaled(const double x, const int shift) {
  const int whole = clamp(shift, -2044, 2046), first = whole >> 1;
  return x * power_of_two(first) * power_of_two(whole - first);
}

// The exponent of the largest power of two by which a row may be scaled, from the sum of its squares. What the rounding
// of the sum, and of the integers, may add is far less than 2^-30 of it.
static inline int shift_to_largest(const double squares) { return ilogb(LARGEST / (squares * (1 + 0x1p-30))) >> 1; }

static inline double add_squares(const value z, double sum) {
#pragma unroll
  for (uint part = 0; part < PARTS; part++) sum = fma(PART_OF(z, part), PART_OF(z, part), sum);
  return sum;
}

static inline double largest_part(const value z) { return fmax(fabs(PART_OF(z, 0)), fabs(PART_OF(z, PARTS - 1))); }

// Combines the numbers, not below zero, that work-items have for their parts of a row: their sum, or the largest.
// Called by all work-items.
inlined double of_parts(const bool summed, local double parts[ROWS_OF_NORMS][ROWS_OF_NORMS + 1], const double mine,
                        const uint row, const uint part) {
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[row][part] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  double all = 0;
  for (uint other = 0; other < ROWS_OF_NORMS; other++)
    all = summed ? all + parts[row][other] : fmax(all, parts[row][other]);
  return all;
}

// Computes the exponents by which rows are scaled. A work-group reads ROWS_OF_NORMS rows of A, or columns of B, each by
// as many work-items.
kernel __attribute__((reqd_work_group_size(ROWS_OF_NORMS * ROWS_OF_NORMS, 1, 1)))
void multiply_shifts_of_rows(const ulong depth, global const entry* restrict a, const Side a_side,
                             global const entry* restrict b, const Side b_side, global int* restrict shifts) {
  local double parts[ROWS_OF_NORMS][ROWS_OF_NORMS + 1];
  const bool is_a = get_group_id(0) < a_side.groups;
  const Side side = is_a ? a_side : b_side;
  const uint low = get_local_id(0) % ROWS_OF_NORMS, high = get_local_id(0) / ROWS_OF_NORMS;
  // Neighbouring work-items read neighbours in memory.
  const uint row = side.k_stride == 1 ? high : low, part = side.k_stride == 1 ? low : high;
  const ulong w = (get_group_id(0) - (is_a ? 0 : a_side.groups)) * ROWS_OF_NORMS + row;
  const ulong end = w < side.width ? depth : 0;
  global const entry* x = (is_a ? a : b) + side.offset + w * side.stride;
  double squares = 0, largest = 0;
  for (ulong p = part; p < end; p += TOGETHER_IN_NORMS * ROWS_OF_NORMS) {
    value values[TOGETHER_IN_NORMS];
#pragma unroll
    for (uint e = 0; e < TOGETHER_IN_NORMS; e++) {
      const ulong at = p + e * ROWS_OF_NORMS;
      values[e] = at < end ? x[at * side.k_stride] : 0;
    }
#pragma unroll
    for (uint e = 0; e < TOGETHER_IN_NORMS; e++) {
      squares = add_squares(values[e], squares);
      largest = fmax(largest, largest_part(values[e]));
    }
  }
  squares = of_parts(true, parts, squares, row, part);
  largest = of_parts(false, parts, largest, row, part);
  const bool is_finite = !isnan(squares) && !isinf(largest);
  // If squares overflow or vanish, the row is divided by its largest element before it is squared.
  const bool is_usual = largest == 0 || (squares >= 0x1p-900 && squares <= 0x1p900);
  const int exponent = is_usual || !is_finite ? 0 : ilogb(largest);
  double squares_of_scaled = 0;
  if (exponent != 0) {
    for (ulong p = part; p < end; p += ROWS_OF_NORMS) {
      const value z = x[p * side.k_stride];
#pragma unroll
      for (uint part = 0; part < PARTS; part++) {
        const double number = scaled(PART_OF(z, part), -exponent);
        squares_of_scaled = fma(number, number, squares_of_scaled);
      }
    }
  }
  squares_of_scaled = of_parts(true, parts, squares_of_scaled, row, part);
  if (part > 0 || w >= side.width) return;
  int shift = NOT_FINITE;
  if (is_finite) shift = largest == 0 ? 0 : shift_to_largest(exponent == 0 ? squares : squares_of_scaled) - exponent;
  shifts[side.first + w] = shift;
}
