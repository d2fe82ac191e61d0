// Sums of rows: products with a vector of ones.
#include "tessera/sums.hpp"

#include "tessera/add.hpp"

namespace tessera::inline v0 {

KernelRun detail::row_sums_into(const Operand& s, const Operand& a,
                                const MultiplyOptions& options) {
  const Stream stream = options.stream ? *options.stream : stream_of(s);
  const Operand ones = allocate(stream, a.type, a.columns(), 1);
  add_into(ones, ones, ones, {.alpha = 0, .beta = 0, .constant = 1});
  return matrix_vector_into(s, a, ones, options);
}

}  // namespace tessera::inline v0
