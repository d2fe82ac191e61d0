// Matrix Market exchange files.
#pragma once

#include <string>
#include <string_view>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// Dense or sparse; real, double, integer, unsigned-integer or complex numbers, or a pattern, whose
/// entries are 1; general, symmetric, hermitian or skew-symmetric. Entries that are listed twice
/// are summed (Boisvert, Pozo, Remington: "The Matrix Market exchange formats", NISTIR 5935). Only
/// finite numbers. Throws UsageError, which begins with `name`.
Numbers read_matrix_market(std::string_view content, const std::string& name);

struct MatrixMarketHeader {
  Shape shape;
  std::size_t parts;  ///< of an element
};

/// Throws UsageError also if a sparse matrix has fewer lines than entries: its size does not limit
/// the file's.
MatrixMarketHeader matrix_market_header(std::string_view content, const std::string& name);

/// A dense matrix as read_matrix_market() reads it, with as few digits as give the same elements
/// back.
std::string matrix_market_text(const AnyMatrix& matrix);

}  // namespace tessera::tool
