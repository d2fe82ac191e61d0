// Matrices and transfers in C.
#include <memory>
#include <tessera/interop.hpp>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"
#include "runtime/stream.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace detail = tessera::detail;

struct tessera_pinned {
  std::shared_ptr<void> memory;
};

namespace {

/// The stream on which a matrix is made. Throws ArgumentError for one of another engine.
tessera::Stream stream_for(const tessera_engine* engine, const tessera_stream* stream) {
  const tessera::Engine& own = get(engine);
  if (stream == nullptr) return own.stream();
  if (&tessera::runtime::stream_of(stream->stream).context() !=
      &tessera::runtime::stream_of(own).context()) {
    throw tessera::ArgumentError(tessera::ErrorCode::wrong_context,
                                 "matrix: the stream belongs to another engine");
  }
  return stream->stream;
}

/// Rows in host memory with the shape of an operand.
template <class Void>
detail::HostRows<Void> rows_of(const detail::Operand& operand, Void* data,
                               std::size_t leading_dimension) {
  if (operand.rows() > 0 && operand.columns() > 0) need(data, "the host memory");
  return {data, operand.rows(), operand.columns(), leading_dimension};
}

}  // namespace

tessera_status tessera_matrix_create(tessera_matrix** matrix, const tessera_engine* engine,
                                     const tessera_stream* stream, tessera_type type,
                                     std::size_t rows, std::size_t columns, tessera_error** error) {
  return create(matrix, error, [&] {
    return detail::allocate(stream_for(engine, stream), type_of(type), rows, columns);
  });
}
tessera_status tessera_matrix_adopt(tessera_matrix** matrix, const tessera_engine* engine,
                                    const tessera_stream* stream, cl_mem buffer, tessera_type type,
                                    std::size_t offset, std::size_t rows, std::size_t columns,
                                    std::size_t leading_dimension, tessera_error** error) {
  return create(matrix, error, [&] {
    need(buffer, "the buffer");
    return detail::adopt(stream_for(engine, stream), buffer, type_of(type), offset, rows, columns,
                         leading_dimension);
  });
}
tessera_status tessera_matrix_block(tessera_matrix** block, const tessera_matrix* matrix,
                                    std::size_t row, std::size_t column, std::size_t rows,
                                    std::size_t columns, tessera_error** error) {
  return create(block, error,
                [&] { return detail::block(get(matrix), row, column, rows, columns); });
}
tessera_status tessera_matrix_transposed(tessera_matrix** transposed, const tessera_matrix* matrix,
                                         tessera_error** error) {
  return create(transposed, error,
                [&] { return detail::viewed(get(matrix), tessera::Op::transpose); });
}
tessera_status tessera_matrix_adjoint(tessera_matrix** adjoint, const tessera_matrix* matrix,
                                      tessera_error** error) {
  return create(adjoint, error,
                [&] { return detail::viewed(get(matrix), tessera::Op::conjugate_transpose); });
}
tessera_status tessera_matrix_conjugated(tessera_matrix** conjugated, const tessera_matrix* matrix,
                                         tessera_error** error) {
  return create(conjugated, error,
                [&] { return detail::viewed(get(matrix), tessera::Op::conjugate); });
}
tessera_status tessera_matrix_copy(tessera_matrix** copy, const tessera_matrix* matrix,
                                   const tessera_stream* stream, tessera_error** error) {
  return create(copy, error, [&] {
    const detail::Operand& from = get(matrix);
    return stream != nullptr ? detail::copy_to(from, stream->stream) : detail::copy(from);
  });
}
tessera_status tessera_matrix_copy_into(const tessera_matrix* to, const tessera_matrix* from,
                                        tessera_event** done, tessera_error** error) {
  return enqueue(done, error, [&] { return detail::copy_into(get(to), get(from), {}); });
}
void tessera_matrix_destroy(tessera_matrix* matrix) { destroy(matrix); }

std::size_t tessera_matrix_rows(const tessera_matrix* matrix) {
  return matrix != nullptr ? matrix->operand.rows() : 0;
}
std::size_t tessera_matrix_columns(const tessera_matrix* matrix) {
  return matrix != nullptr ? matrix->operand.columns() : 0;
}
tessera_type tessera_matrix_type(const tessera_matrix* matrix) {
  return matrix != nullptr ? static_cast<tessera_type>(matrix->operand.type) : TESSERA_FLOAT32;
}
tessera_op tessera_matrix_op(const tessera_matrix* matrix) {
  return matrix != nullptr ? static_cast<tessera_op>(matrix->operand.op) : TESSERA_NO_TRANSPOSE;
}
std::size_t tessera_matrix_offset(const tessera_matrix* matrix) {
  return matrix != nullptr ? matrix->operand.offset : 0;
}
std::size_t tessera_matrix_leading_dimension(const tessera_matrix* matrix) {
  return matrix != nullptr ? matrix->operand.leading_dimension : 0;
}
cl_mem tessera_matrix_buffer(const tessera_matrix* matrix) {
  return matrix != nullptr ? detail::buffer(matrix->operand) : nullptr;
}

tessera_status tessera_matrix_upload(const tessera_matrix* matrix, const void* from,
                                     std::size_t leading_dimension, tessera_error** error) {
  return guarded(error, [&] {
    const detail::Operand& to = get(matrix);
    detail::upload(to, rows_of(to, from, leading_dimension));
  });
}
tessera_status tessera_matrix_download(const tessera_matrix* matrix, void* to,
                                       std::size_t leading_dimension, tessera_error** error) {
  return guarded(error, [&] {
    const detail::Operand& from = get(matrix);
    detail::to_host(from, rows_of(from, to, leading_dimension));
  });
}
tessera_status tessera_matrix_upload_async(const tessera_matrix* matrix, const void* from,
                                           std::size_t leading_dimension, tessera_event** done,
                                           tessera_error** error) {
  return enqueue(done, error, [&] {
    const detail::Operand& to = get(matrix);
    return detail::upload_async(to, rows_of(to, from, leading_dimension));
  });
}
tessera_status tessera_matrix_download_async(const tessera_matrix* matrix, void* to,
                                             std::size_t leading_dimension, tessera_event** done,
                                             tessera_error** error) {
  return enqueue(done, error, [&] {
    const detail::Operand& from = get(matrix);
    return detail::to_host_async(from, rows_of(from, to, leading_dimension));
  });
}

tessera_status tessera_pinned_create(tessera_pinned** pinned, const tessera_engine* engine,
                                     tessera_type type, std::size_t rows, std::size_t columns,
                                     tessera_error** error) {
  return create(pinned, error, [&] {
    return detail::pinned_memory(get(engine).stream(), type_of(type), rows, columns);
  });
}
void* tessera_pinned_data(const tessera_pinned* pinned) {
  return pinned != nullptr ? pinned->memory.get() : nullptr;
}
void tessera_pinned_destroy(tessera_pinned* pinned) { destroy(pinned); }
