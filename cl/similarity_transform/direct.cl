// B = diag(s)^-1 * A * diag(s): each work-item reads its row's and its column's s.
//   GROUP  work-items of a work-group, beside each other in a row
// Any n but 0; rows from `first` on. B may be A.

#ifndef GROUP
#error "GROUP is not defined"
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void similarity_transform_direct(global const uint* halt, const ulong n, const ulong first, global const element* a, const Rows a_at,
                                 global const element* restrict s, const Vector s_at, global element* b,
                                 const Rows b_at) {
  const ulong i = first + get_global_id(1), j = get_global_id(0);
  if (j < n && *halt == 0) {
    // The ratio first: the product of an element and a row sum may be too large.
    const number ratio = element_of(s, s_at, j) / element_of(s, s_at, i);
    b[b_at.offset + i * b_at.row + j] = a[a_at.offset + i * a_at.row + j] * ratio;
  }
}
