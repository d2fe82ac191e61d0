// Targets that read matrices: files, and generators' names.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "element_types.hpp"
#include "files/csv.hpp"
#include "files/generator.hpp"
#include "files/matrix_market.hpp"
#include "files/npy.hpp"
#include "fuzz.hpp"
#include "usage_error.hpp"

namespace tessera::fuzz {
namespace {

using tool::HostMatrix, tool::UsageError;

template <Element T>
std::string_view bytes_of(const HostMatrix<T>& matrix) {
  return {reinterpret_cast<const char*>(matrix.elements.data()),
          matrix.elements.size() * sizeof(T)};
}

template <Element T>
void require_same(const HostMatrix<T>& read, const HostMatrix<T>& written) {
  require(read.rows == written.rows && read.columns == written.columns, "the same shape");
  require(read.stack == written.stack, "the same stack");
  require(bytes_of(read) == bytes_of(written), "the same elements");
}

template <Element T>
void npy_as(std::string_view input) {
  const auto matrix = unless_refused<UsageError>([&] { return tool::read_npy<T>(input, "a.npy"); });
  if (!matrix) return;
  require(matrix->elements.size() == matrix->rows * matrix->columns,
          "as many elements as the shape");
  auto text = tool::npy_header_text(tool::element_type_of<T>(),
                                    {matrix->rows, matrix->columns, matrix->stack});
  require(text.size() % 64 == 0, "aligned data");
  require_same(tool::read_npy<T>(text.append(bytes_of(*matrix)), "a.npy"), *matrix);
}

void require_finite(const HostMatrix<double>& matrix) {
  require(matrix.elements.size() == matrix.rows * matrix.columns, "as many elements as the shape");
  require(std::ranges::all_of(matrix.elements, [](double x) { return std::isfinite(x); }),
          "finite numbers only");
  require(matrix.rounding >= 0, "a rounding");
}

}  // namespace

void npy(std::string_view input) {
  npy_as<float>(input);
  npy_as<double>(input);
  npy_as<std::int32_t>(input);
  npy_as<half>(input);
  npy_as<std::int8_t>(input);
}

void matrix_market(std::string_view input) {
  const auto matrix =
      unless_refused<UsageError>([&] { return tool::read_matrix_market(input, "a.mtx"); });
  if (!matrix) return;
  require_finite(*matrix);
  const tool::Shape shape = tool::matrix_market_shape(input, "a.mtx");
  require(shape.rows == matrix->rows && shape.columns == matrix->columns, "the shape");
  const std::string text = tool::matrix_market_text(*matrix);
  require_same(tool::read_matrix_market(text, "a.mtx"), *matrix);
}

void csv(std::string_view input) {
  const auto matrix = unless_refused<UsageError>([&] { return tool::read_csv(input, "a.csv"); });
  if (!matrix) return;
  require_finite(*matrix);
  const std::string text = tool::csv_text(*matrix);
  require_same(tool::read_csv(text, "a.csv"), *matrix);
}

void generator(std::string_view input) {
  const std::string source(input);
  if (!tool::is_generator(source)) return;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32,
                                 ElementType::float16, ElementType::int8, ElementType::bfloat16}) {
    const auto matrix = unless_refused<UsageError>([&] { return tool::generate(source, type); });
    if (!matrix) return;
    require_finite(*matrix);
    const tool::Shape shape = tool::generated_shape(source);
    require(shape.rows == matrix->rows && shape.columns == matrix->columns, "the shape");
    tool::with_type(type, [&](auto zero) {
      using T = decltype(zero);
      unless_refused<UsageError>([&] { return tool::converted<T>(*matrix, source); });
    });
  }
}

}  // namespace tessera::fuzz
