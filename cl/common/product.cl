// Product: the arguments of every multiply kernel, for C = alpha * A * B + beta * C with A m x k, B k x n, C m x n.
// Element (i, j) of an operand is number offset + i * row + j * column of its memory: a transpose is
// an exchange of row and column. C has column == 1. m, n > 0; with k == 0, A and B are not read.
// A and B are of `element`s, C is of `output`s.
// A launch may compute many products: each has its number in dimension 2, and its operands lie `batch` elements behind
// the previous product's operands.

#include "common/element.cl"

typedef struct {
  ulong m, n, k;
} Shape;

typedef struct {
  ulong offset, row, column, batch;
} Layout;

// The first element of an operand of this work-item's product.
static inline ulong start_of(const Layout at) { return at.offset + get_group_id(2) * at.batch; }

// Stores the number of C at `place` from the sum of products. With beta == 0, the old value of C is not read.
static inline void update_at(global output* c, const ulong place, const number alpha, const number sum,
                             const number beta) {
  const number product = alpha * sum;
  if (beta == 0) {
    STORE_OUTPUT(product, c, place);
  } else {
    STORE_OUTPUT(MULTIPLY_ADD(beta, LOAD_OUTPUT(c, place), product), c, place);
  }
}

// The same for C(i, j).
static inline void update(global output* c, const Layout c_at, const ulong i, const ulong j, const number alpha,
                   const number sum, const number beta) {
  update_at(c, start_of(c_at) + i * c_at.row + j, alpha, sum, beta);
}
