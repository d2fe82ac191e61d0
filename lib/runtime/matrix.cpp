// Memory of matrices and their views: allocation, blocks, and copies to and from the host and other
// devices.
#include "tessera/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/shape.hpp"
#include "runtime/stream.hpp"
#include "runtime/transfer.hpp"

namespace tessera::inline v0::detail {
namespace {

using runtime::block_of;
using runtime::shape_text;

template <class Void>
void require_shape(const char* what, const Operand& operand, const HostRows<Void>& host) {
  if (host.rows != operand.rows() || host.columns != operand.columns()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: the matrix is {} and the host's {}; expected the same shape",
                                  what, shape_text(operand.rows(), operand.columns()),
                                  shape_text(host.rows, host.columns)));
  }
  // Throws for a pitch that overflows.
  if (host.rows > 1)
    runtime::bytes_of(host.rows, host.leading_dimension, element_size(operand.type));
  if (host.rows > 1 && host.leading_dimension < host.columns) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: host rows of {} elements cannot be {} apart", what,
                                  host.columns, host.leading_dimension));
  }
}

void require_stored_order(const char* what, const Operand& operand) {
  if (operand.op != Op::none)
    throw MatrixError(ErrorCode::unsupported_layout,
                      fmt::format("{}: the view is {}; copy it to a matrix first", what,
                                  is_transposed(operand.op) ? "transposed" : "conjugated"));
}

bool is_empty(const Operand& operand) {
  return operand.stored_rows == 0 || operand.stored_columns == 0;
}

/// The rows with their pitch in bytes.
runtime::Target bytes_of(const HostRows<void>& rows, ElementType type) {
  return {static_cast<std::byte*>(rows.data), rows.leading_dimension * element_size(type)};
}
runtime::Source bytes_of(const HostRows<const void>& rows, ElementType type) {
  return {static_cast<const std::byte*>(rows.data), rows.leading_dimension * element_size(type)};
}

/// Writes the transpose of a `rows` x `columns` matrix with elements of `size` bytes.
void transpose(const std::byte* from, std::size_t rows, std::size_t columns, std::size_t size,
               const runtime::Target& to) {
  constexpr std::size_t kTile = 32;  // elements; a tile of both matrices stays in the cache
  for (std::size_t i0 = 0; i0 < rows; i0 += kTile) {
    for (std::size_t j0 = 0; j0 < columns; j0 += kTile) {
      for (std::size_t j = j0; j < std::min(j0 + kTile, columns); j++) {
        for (std::size_t i = i0; i < std::min(i0 + kTile, rows); i++)
          std::memcpy(to.data + j * to.pitch + i * size, from + (i * columns + j) * size, size);
      }
    }
  }
}

/// Conjugates elements whose parts are of type Part.
template <class Part>
void conjugate(const HostRows<void>& rows) {
  auto* const parts = static_cast<Part*>(rows.data);
  for (std::size_t i = 0; i < rows.rows; i++) {
    for (std::size_t j = 0; j < rows.columns; j++) {
      Part& imaginary = parts[2 * (i * rows.leading_dimension + j) + 1];
      imaginary = -imaginary;
    }
  }
}

}  // namespace

Operand allocate(const Stream& stream, ElementType type, std::size_t rows, std::size_t columns) {
  const std::size_t bytes = runtime::bytes_of(rows, columns, element_size(type));
  auto memory = runtime::stream_of(stream).allocate(bytes, runtime::matrix_text(rows, columns));
  return {std::move(memory), Access::state(stream), 0, rows, columns, columns, type};
}

Operand block(const Operand& of, std::size_t row, std::size_t column, std::size_t rows,
              std::size_t columns) {
  if (row > of.rows() || rows > of.rows() - row || column > of.columns() ||
      columns > of.columns() - column) {
    throw MatrixError(
        ErrorCode::out_of_bounds,
        fmt::format("a block of {} from ({}, {}) on is not inside a matrix of {}",
                    shape_text(rows, columns), row, column, shape_text(of.rows(), of.columns())));
  }
  if (is_transposed(of.op)) {
    std::swap(row, column);
    std::swap(rows, columns);
  }
  Operand result = of;
  result.offset += row * of.leading_dimension + column;
  result.stored_rows = rows;
  result.stored_columns = columns;
  return result;
}

Operand viewed(Operand operand, Op op) {
  operand.op = composed(operand.type, operand.op, op);
  return operand;
}

void require_count(const char* what, const Operand& operand, std::size_t count) {
  if (count == operand.rows() * operand.columns()) return;
  throw MatrixError(ErrorCode::invalid_shape,
                    fmt::format("{}: a matrix of {} has {} elements, the span has {}", what,
                                shape_text(operand.rows(), operand.columns()),
                                operand.rows() * operand.columns(), count));
}

void require_row(const Operand& operand, std::size_t row, std::size_t count) {
  if (count == operand.columns()) return;
  throw MatrixError(ErrorCode::invalid_shape,
                    fmt::format("row {} of the list has {} elements, the first row has {}", row,
                                count, operand.columns()));
}

void require_stored_order(Op host) {
  if (host == Op::none) return;
  throw MatrixError(
      ErrorCode::unsupported_layout,
      is_transposed(host)
          ? "a transfer: the view of host memory is transposed; transpose the matrix's"
          : "a transfer: the view of host memory is conjugated; conjugate the matrix's");
}

void to_host(const Operand& from, const HostRows<void>& to) {
  require_shape("to_host", from, to);
  if (is_empty(from)) return;
  const runtime::Target target = bytes_of(to, from.type);
  if (!is_transposed(from.op)) {
    runtime::read(*from.stream, block_of(from), target);
  } else {
    const runtime::Block block = block_of(from);
    std::vector<std::byte> stored(runtime::bytes(block));
    runtime::read(*from.stream, block, {stored.data(), block.row_bytes});
    transpose(stored.data(), from.stored_rows, from.stored_columns, element_size(from.type),
              target);
  }
  if (!is_conjugated(from.op)) return;
  if (from.type == ElementType::complex64) return conjugate<float>(to);
  conjugate<double>(to);
}

Event to_host_async(const Operand& from, const HostRows<void>& to) {
  require_shape("to_host_async", from, to);
  require_stored_order("to_host_async", from);
  if (is_empty(from)) return {};
  return runtime::read_async(*from.stream, block_of(from), bytes_of(to, from.type));
}

void upload(const Operand& to, const HostRows<const void>& from) {
  require_shape("upload", to, from);
  require_stored_order("upload", to);
  if (!is_empty(to)) runtime::write(*to.stream, block_of(to), bytes_of(from, to.type));
}

Event upload_async(const Operand& to, const HostRows<const void>& from) {
  require_shape("upload_async", to, from);
  require_stored_order("upload_async", to);
  if (is_empty(to)) return {};
  return runtime::write_async(*to.stream, block_of(to), bytes_of(from, to.type));
}

Stream stream_of(const Operand& operand) {
  if (operand.stream == nullptr)
    throw MatrixError(ErrorCode::moved_from, "the matrix is default-constructed: it has no stream");
  return Access::make<Stream>(operand.stream);
}

Operand copy(const Operand& operand) {
  if (operand.stream == nullptr) return {.type = operand.type};
  return copy_to(operand, stream_of(operand));
}

Operand copy_to(const Operand& from, const Stream& stream) {
  if (from.memory == nullptr) return allocate(stream, from.type, 0, 0);
  Operand copied = allocate(stream, from.type, from.rows(), from.columns());
  if (&runtime::stream_of(stream).context() == &from.stream->context() && from.op == Op::none) {
    runtime::copy(runtime::stream_of(stream), block_of(from), block_of(copied));
    return copied;
  }
  std::vector<std::byte> elements(from.rows() * from.columns() * element_size(from.type));
  void* const data = elements.data();
  to_host(from, rows_for(from, data));
  upload(copied, rows_for(from, static_cast<const void*>(data)));
  return copied;
}

Batch batch_of(const Operand& stacked, std::size_t count) {
  require_stored_order("batch_of", stacked);
  const std::size_t rows = stacked.rows();
  if (count == 0 ? rows != 0 : rows % count != 0)
    throw MatrixError(
        ErrorCode::invalid_shape,
        fmt::format("batch_of: cannot split {} rows into {} equal blocks", rows, count));
  const std::size_t of_each = count == 0 ? 0 : rows / count;
  return {block(stacked, 0, 0, of_each, stacked.columns()), count,
          count > 1 ? of_each * stacked.leading_dimension : 0};
}

}  // namespace tessera::inline v0::detail
