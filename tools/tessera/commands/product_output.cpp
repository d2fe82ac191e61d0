// Lines that products from a device and from host memory share.
#include "commands/product_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "element_types.hpp"
#include "text.hpp"

namespace tessera::tool {

namespace {

std::string text_at(const AnyMatrix& matrix, std::size_t index) {
  if (is_integer(matrix.type)) return text_of_element(matrix.type, matrix[index]);
  if (!is_complex(matrix.type)) return fmt::format("{:.6g}", matrix[index]);
  return fmt::format("{:.6g}{:+.6g}i", matrix[2 * index], matrix[2 * index + 1]);
}

}  // namespace

void print_elements(const AnyMatrix& matrix) {
  constexpr std::size_t kMax = 12;
  const auto [rows, columns, stack] = matrix.shape;
  if (rows > kMax || columns > kMax) return;
  for (std::size_t i = 0; i < rows; i++) {
    for (std::size_t j = 0; j < columns; j++) {
      fmt::print("{:>{}}", text_at(matrix, i * columns + j), 13 * parts_of(matrix.type));
    }
    fmt::print("\n");
  }
}

void print_rounded(std::FILE* out, const Operands& operands, const MultiplyCommand& command) {
  const auto is_rounded = [](const AnyMatrix& matrix) {
    return matrix.rounding > unit_roundoff(ElementType::float64);
  };
  std::map<ElementType, std::vector<std::string>> names;
  if (is_rounded(operands.a)) names[operands.types.a].push_back(command.a);
  if (is_rounded(operands.b)) names[operands.types.b].push_back(command.b);
  if (is_rounded(operands.c0)) names[operands.types.c].push_back(command.c0);
  for (const auto& [type, sources] : names) {
    fmt::print(out, "elements of {} are rounded to {}\n",
               one_line(fmt::format("{}", fmt::join(sources, " and "))), to_string(type));
  }
}

void print_verification(std::FILE* out, const std::optional<Verification>& verified,
                        const Operands& operands) {
  if (!verified) return;
  const Verification& verification = *verified;
  fmt::print(out, "largest error {:.3g}, {:.3g} of its bound, {} of {} elements checked\n",
             verification.max_error, verification.worst, verification.elements,
             operands.batch * operands.rows * operands.columns);
  if (verification.unbounded > 0) {
    fmt::print(out, "{} elements have no bound: their sums may overflow\n", verification.unbounded);
  }
  if (verification.wrapped > 0) {
    const bool is_one = verification.wrapped == 1;
    fmt::print(out, "{} sum{} int32, modulo 2^32 here: --dtype double is exact up to 2^53\n",
               verification.wrapped, is_one ? " leaves" : "s leave");
  }
}

}  // namespace tessera::tool
