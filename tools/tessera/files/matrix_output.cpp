// Writing a matrix in a file's format.
#include "files/matrix_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "files/csv.hpp"
#include "files/input.hpp"
#include "files/matrix_market.hpp"
#include "files/npy_header.hpp"
#include "platform/path.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

MatrixOutput::MatrixOutput(const std::string& path, ElementType type) : ending_(".csv") {
  const bool is_standard = path == kStandardStream;
  if (!is_standard) ending_ = lower_case(text_of(path_of(path).extension()));
  if (ending_ != ".npy" && ending_ != ".csv" && ending_ != ".mtx")
    throw UsageError(fmt::format("{}: an output ends in .npy, .csv or .mtx, or is -", path));
  if (is_complex(type) && ending_ == ".csv")
    throw UsageError(
        fmt::format("-o {}: expected a .npy or .mtx file for {}", path, to_string(type)));
  if (!is_standard) file_.emplace(path);
}

void MatrixOutput::write(const AnyMatrix& matrix) {
  if (ending_ == ".npy") {
    const char* elements = reinterpret_cast<const char*>(matrix.elements.data());
    file_->write({npy_header_text(matrix.type, matrix.shape), {elements, matrix.elements.size()}});
    return;
  }
  const std::string text = ending_ == ".csv" ? csv_text(matrix) : matrix_market_text(matrix);
  file_ ? file_->write({text}) : fmt::print("{}", text);
}

}  // namespace tessera::tool
