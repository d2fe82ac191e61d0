// A tile of MR x NR elements of C in vector registers: see common/panels.cl.

// Of a finished tile the rows from `first` to `end`, and `columns` columns, into C.
inlined void update_tile(Numbers tile[MR][NR_VECTORS], const number alpha, const number beta, global element* c,
                               const ulong c_row, const uint first, const uint end, const uint columns) {
#pragma unroll
  for (uint r = 0; r < MR; r++) {
    if (r < first || r >= end) continue;
    global element* row = c + r * c_row;
#pragma unroll
    for (uint v = 0; v < NR_VECTORS; v++) {
      Numbers product = alpha * tile[r][v];
      if (columns >= (v + 1) * VECTOR) {
        if (beta != 0) product = multiply_add(beta, load_elements(row + v * VECTOR), product);
        store_elements(product, row + v * VECTOR);
      } else {
        number part[VECTOR];
        JOIN(vstore, VECTOR)(product, 0, part);
        for (uint q = v * VECTOR; q < columns; q++) {
          const number value = part[q - v * VECTOR];
          store(beta == 0 ? value : multiply_add(beta, load(row, q), value), row, q);
        }
      }
    }
  }
}
