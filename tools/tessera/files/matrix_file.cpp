// Choosing a reader by a source's ending, writing a matrix.
#include "files/matrix_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "element_types.hpp"
#include "files/generator.hpp"
#include "files/npy.hpp"
#include "files/text_matrix.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

const std::string& checked_npy(const std::string& path) {
  if (fs::path(path).extension() != ".npy")
    throw UsageError(fmt::format("{}: an output ends in .npy", path));
  return path;
}

}  // namespace

Source::Source(const std::string& name) : name_(name) {
  if (is_generator(name)) return;
  ending_ = fs::path(name).extension().string();
  if (ending_ != ".npy" && ending_ != ".mtx" && ending_ != ".csv") {
    throw UsageError(
        fmt::format("{}: is neither a file that ends in .npy, .mtx or .csv nor a generator", name));
  }
  content_ = read_file(name);
}

ElementType Source::natural_type() const {
  if (ending_ != ".npy") return ElementType::float32;
  const NpyHeader header = npy_header(content_, name_);
  if (header.kind == 'i' && header.item_size == 1) return ElementType::int8;
  if (header.kind != 'f') return ElementType::int32;
  return header.item_size == 8   ? ElementType::float64
         : header.item_size == 2 ? ElementType::float16
                                 : ElementType::float32;
}

template <Element T>
HostMatrix<T> Source::read() const {
  if (ending_ == ".npy") return read_npy<T>(content_, name_);
  return converted<T>(ending_ == ".mtx"   ? read_matrix_market(content_, name_)
                      : ending_ == ".csv" ? read_csv(content_, name_)
                                          : generate(name_, element_type_of<T>()),
                      name_);
}

MatrixOutput::MatrixOutput(const std::string& path) : file_(checked_npy(path)) {}

template <Element T>
void MatrixOutput::write(const HostMatrix<T>& matrix) {
  const char* elements = reinterpret_cast<const char*>(matrix.elements.data());
  file_.write({npy_header_text(element_type_of<T>(), matrix.rows, matrix.columns),
               {elements, matrix.elements.size() * sizeof(T)}});
}

template HostMatrix<float> Source::read<float>() const;
template HostMatrix<double> Source::read<double>() const;
template HostMatrix<std::int32_t> Source::read<std::int32_t>() const;
template HostMatrix<half> Source::read<half>() const;
template HostMatrix<std::int8_t> Source::read<std::int8_t>() const;
template void MatrixOutput::write<float>(const HostMatrix<float>&);
template void MatrixOutput::write<double>(const HostMatrix<double>&);
template void MatrixOutput::write<std::int32_t>(const HostMatrix<std::int32_t>&);
template void MatrixOutput::write<half>(const HostMatrix<half>&);
template void MatrixOutput::write<std::int8_t>(const HostMatrix<std::int8_t>&);

}  // namespace tessera::tool
