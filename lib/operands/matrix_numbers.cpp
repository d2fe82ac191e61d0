// Numbers of matrices on a device.
#include "operands/numbers.hpp"

namespace tessera::inline v0::operands {

std::vector<double> numbers_of(const detail::Operand& of) {
  std::vector<std::byte> elements(of.rows() * of.columns() * element_size(of.type));
  detail::to_host(of, detail::rows_for(of, elements.data()));
  return numbers_of(of.type, elements);
}

void upload(const detail::Operand& to, std::span<const double> numbers) {
  const auto elements = elements_of(to.type, numbers);
  detail::upload(to, detail::rows_for(to, elements.data()));
}

detail::Operand matrix_of(const Stream& stream, ElementType type, std::size_t rows,
                          std::size_t columns, std::span<const double> numbers) {
  auto made = detail::allocate(stream, type, rows, columns);
  upload(made, numbers);
  return made;
}

}  // namespace tessera::inline v0::operands
