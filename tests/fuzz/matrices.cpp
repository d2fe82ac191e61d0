// Targets that read matrices: files, and generators' names.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "files/any_matrix.hpp"
#include "files/csv.hpp"
#include "files/generator.hpp"
#include "files/matrix_market.hpp"
#include "files/npy.hpp"
#include "files/npy_header.hpp"
#include "fuzz.hpp"
#include "usage_error.hpp"

namespace tessera::fuzz {
namespace {

using tool::AnyMatrix, tool::Numbers, tool::UsageError;

constexpr ElementType kTypes[] = {ElementType::float32, ElementType::float64,
                                  ElementType::int32,   ElementType::float16,
                                  ElementType::int8,    ElementType::bfloat16};

std::string_view bytes_of(const AnyMatrix& matrix) {
  return {reinterpret_cast<const char*>(matrix.elements.data()), matrix.elements.size()};
}

void require_same(const AnyMatrix& read, const AnyMatrix& written) {
  const tool::Shape &shape = read.shape, &other = written.shape;
  require(shape.rows == other.rows && shape.columns == other.columns, "the same shape");
  require(shape.stack == other.stack, "the same stack");
  require(bytes_of(read) == bytes_of(written), "the same elements");
}

AnyMatrix npy_matrix(std::string content, ElementType type) {
  const tool::NpyHeader header = tool::npy_header(content, "a.npy");
  return tool::read_npy(std::move(content), header, type, "a.npy");
}

AnyMatrix doubles(Numbers numbers) {
  const auto type = numbers.parts == 1 ? ElementType::float64 : ElementType::complex128;
  return tool::converted(std::move(numbers), type, "a");
}

void require_finite(const Numbers& matrix) {
  require(matrix.elements.size() == matrix.rows * matrix.columns * matrix.parts,
          "as many elements as the shape");
  require(std::ranges::all_of(matrix.elements, [](double x) { return std::isfinite(x); }),
          "finite numbers only");
  require(matrix.rounding >= 0, "a rounding");
}

}  // namespace

void npy(std::string_view input) {
  for (const ElementType type : kTypes) {
    const auto matrix =
        unless_refused<UsageError>([&] { return npy_matrix(std::string(input), type); });
    if (!matrix) continue;
    require(matrix->elements.size() == matrix->shape.count() * element_size(type),
            "as many elements as the shape");
    require(matrix->rounding >= 0, "a rounding");
    auto text = tool::npy_header_text(type, matrix->shape);
    require(text.size() % 64 == 0, "aligned data");
    require_same(npy_matrix(text.append(bytes_of(*matrix)), type), *matrix);
  }
}

void matrix_market(std::string_view input) {
  const auto matrix =
      unless_refused<UsageError>([&] { return tool::read_matrix_market(input, "a.mtx"); });
  if (!matrix) return;
  require_finite(*matrix);
  const auto [shape, parts] = tool::matrix_market_header(input, "a.mtx");
  require(parts == matrix->parts, "the parts");
  require(shape.rows == matrix->rows && shape.columns == matrix->columns, "the shape");
  const AnyMatrix written = doubles(*matrix);
  const std::string text = tool::matrix_market_text(written);
  require_same(doubles(tool::read_matrix_market(text, "a.mtx")), written);
}

void csv(std::string_view input) {
  const auto matrix = unless_refused<UsageError>([&] { return tool::read_csv(input, "a.csv"); });
  if (!matrix) return;
  require_finite(*matrix);
  const AnyMatrix written = doubles(*matrix);
  const std::string text = tool::csv_text(written);
  require_same(doubles(tool::read_csv(text, "a.csv")), written);
}

void generator(std::string_view input) {
  const std::string source(input);
  if (!tool::is_generator(source)) return;
  for (const ElementType type : kTypes) {
    const auto matrix = unless_refused<UsageError>([&] { return tool::generate(source, type); });
    if (!matrix) return;
    require_finite(*matrix);
    const tool::Shape shape = tool::generated_shape(source);
    require(shape.rows == matrix->rows && shape.columns == matrix->columns, "the shape");
    unless_refused<UsageError>([&] { return tool::converted(*matrix, type, source); });
  }
}

}  // namespace tessera::fuzz
