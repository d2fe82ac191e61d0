// HostArray: numbers in host memory with any strides, from NumPy or through DLPack.
#pragma once

#include <cstddef>

#include "binding.hpp"

namespace tessera_py {

/// The ElementType of a NumPy dtype, or of an argument that numpy.dtype() accepts. Raises
/// TypeError, which names the dtype and the supported ones; `what` begins the message.
ts::ElementType element_type_of(nb::handle dtype, const char* what);
/// NumPy's name of a type: "float16", …
const char* name_of(ts::ElementType type);
/// The numpy.dtype of a type; of bfloat16, the one of ml_dtypes.
nb::object dtype_of(ts::ElementType type);

/// Element (i, j) is at `data + i * row_stride + j * column_stride`; strides are in bytes. It holds
/// no object of Python, so that code without the GIL can use it.
struct HostElements {
  std::byte* data = nullptr;
  std::size_t rows = 0, columns = 0;
  std::ptrdiff_t row_stride = 0, column_stride = 0;
  ts::ElementType type = ts::ElementType::float32;
  bool writable = false;

  std::size_t leading_dimension() const;
  /// Rows, or columns if `transposed`, are contiguous and a whole number of elements apart.
  bool has_rows(bool transposed) const;
  HostElements transposed() const;
};

struct HostArray : HostElements {
  nb::object owner = {};  ///< keeps the memory alive
};

/// The array as two dimensions; one dimension becomes a column. Raises TypeError for a dtype and
/// ValueError for dimensions that matrices do not have.
HostArray host_array(nb::handle array_like, const char* what);
/// Returns whether an object is an array of NumPy or of a subclass. host_array() of one has its
/// own memory, no copy.
bool is_array(nb::handle object);
/// A new array of NumPy, and its memory.
HostArray empty_array(std::size_t rows, std::size_t columns, ts::ElementType type);

/// The rows in host memory that a transfer reads, of an array or its transpose.
class Source {
 public:
  /// Copies elements that are not in rows. `or_columns`: rows of the transpose will do.
  Source(const HostElements& array, bool or_columns);

  detail::HostRows<const void> rows() const;
  bool is_transposed() const { return is_transposed_; }

 private:
  HostElements view_;
  bool is_transposed_ = false;
  std::vector<std::byte> copied_;
};

/// A new operand with an array's elements; of a Fortran array, a transposed view. Without the GIL.
detail::Operand uploaded(const ts::Stream& stream, const HostElements& array, bool or_columns);
/// Writes an array's elements. Without the GIL.
void upload(const detail::Operand& to, const HostElements& from);
/// Reads elements into an array of the same shape. Without the GIL.
void download(const detail::Operand& from, const HostElements& to);

}  // namespace tessera_py
