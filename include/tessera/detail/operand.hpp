// Operand: a matrix or a view without its C++ element type, as the library's functions take it.
#pragma once

#include <cstddef>
#include <memory>

#include <tessera/detail/access.hpp>
#include <tessera/element_type.hpp>
#include <tessera/engine.hpp>
#include <tessera/event.hpp>
#include <tessera/export.hpp>
#include <tessera/stream.hpp>

namespace tessera::inline v0 {

namespace runtime {
class Memory;
}

namespace detail {

/// Element (i, j), before `op`, is at index `offset + i * leading_dimension + j` of the memory.
struct Operand {
  std::shared_ptr<runtime::Memory> memory = {};
  std::shared_ptr<runtime::Stream> stream = {};
  std::size_t offset = 0;
  std::size_t stored_rows = 0, stored_columns = 0, leading_dimension = 0;
  ElementType type = ElementType::float32;
  Op op = Op::none;

  std::size_t rows() const { return is_transposed(op) ? stored_columns : stored_rows; }
  std::size_t columns() const { return is_transposed(op) ? stored_rows : stored_columns; }
};

/// Matrices of one shape: `first`, and each further one `stride` elements after the previous one.
struct Batch {
  Operand first;
  std::size_t count = 1, stride = 0;
};

/// New memory for `rows` x `columns` elements. Throws MatrixError if their size overflows,
/// MemoryError if the device cannot hold them.
TESSERA_API Operand allocate(const Stream& stream, ElementType type, std::size_t rows,
                             std::size_t columns);
/// The block that starts at (row, column). Throws MatrixError if it is not inside.
TESSERA_API Operand block(const Operand& of, std::size_t row, std::size_t column, std::size_t rows,
                          std::size_t columns);
/// A view of the operand: transposed, conjugated, both or neither.
TESSERA_API Operand viewed(Operand operand, Op op);

/// Rows of elements in host memory.
template <class Void>
struct HostRows {
  Void* data;
  std::size_t rows, columns, leading_dimension;
};

/// Throws MatrixError unless an operand has `count` elements. `what` begins the message.
TESSERA_API void require_count(const char* what, const Operand& operand, std::size_t count);
/// Throws MatrixError unless row `row` of a list of rows, of `count` elements, fits an operand.
TESSERA_API void require_row(const Operand& operand, std::size_t row, std::size_t count);

/// Throws MatrixError for a transposed or conjugated view of host memory.
TESSERA_API void require_stored_order(Op host);

/// Throw MatrixError unless the host's rows have the operand's shape. Transposed and conjugated
/// operands are copied to the host only, not asynchronously.
TESSERA_API void to_host(const Operand& from, const HostRows<void>& to);
TESSERA_API Event to_host_async(const Operand& from, const HostRows<void>& to);
TESSERA_API void upload(const Operand& to, const HostRows<const void>& from);
TESSERA_API Event upload_async(const Operand& to, const HostRows<const void>& from);

/// Contiguous rows with the shape of an operand.
inline HostRows<void> rows_for(const Operand& operand, void* data) {
  return {data, operand.rows(), operand.columns(), operand.columns()};
}
inline HostRows<const void> rows_for(const Operand& operand, const void* data) {
  return {data, operand.rows(), operand.columns(), operand.columns()};
}

/// The operand's stream. Throws MatrixError for a matrix that was default-constructed.
TESSERA_API Stream stream_of(const Operand& operand);
/// A dense copy on the operand's own stream; one without memory has none either.
TESSERA_API Operand copy(const Operand& operand);
/// A dense copy on a stream, of any engine; waits if the contexts differ.
TESSERA_API Operand copy_to(const Operand& from, const Stream& stream);
/// Equal blocks of the rows of a matrix. Throws MatrixError if there are no `count` equal ones.
TESSERA_API Batch batch_of(const Operand& stacked, std::size_t count);

}  // namespace detail
}  // namespace tessera::inline v0
