// Interop: wraps OpenCL objects that the application already has, and exposes the library's own.
//
// An application that calls OpenCL itself links its loader: OpenCL::OpenCL in CMake, -lOpenCL.
// Plain C handles, declared as in <CL/cl.h>, which may be included before or after this header, in
// any version, or not at all.
#pragma once

#include <cstddef>

#include <tessera/engine.hpp>
#include <tessera/event.hpp>
#include <tessera/matrix.hpp>
#include <tessera/stream.hpp>

typedef struct _cl_context* cl_context;
typedef struct _cl_device_id* cl_device_id;
typedef struct _cl_command_queue* cl_command_queue;
typedef struct _cl_mem* cl_mem;
typedef struct _cl_event* cl_event;

namespace tessera::inline v0 {
namespace detail {

TESSERA_API Operand adopt(const Stream& stream, cl_mem buffer, ElementType type, std::size_t offset,
                          std::size_t rows, std::size_t columns, std::size_t leading_dimension);
TESSERA_API cl_mem buffer(const Operand& operand);

}  // namespace detail

namespace interop {

/// An engine on an application's context and device, which are retained, with a queue of its own.
/// Throws ArgumentError if the device is not the context's.
TESSERA_API Engine adopt(cl_context context, cl_device_id device);

/// An engine whose own stream is an application's queue, which is retained. Throws ArgumentError
/// for an out-of-order queue. Commands that the application enqueues there run in order with the
/// stream's.
TESSERA_API Engine adopt(cl_command_queue queue);

/// Another stream of `engine`, on an in-order queue of the application with the same context and
/// device. Throws ArgumentError for any other queue.
TESSERA_API Stream adopt(const Engine& engine, cl_command_queue queue);

/// A matrix on an application's buffer, which is retained and released with the matrix. Element (i,
/// j) is at index i * columns + j of the buffer. Throws MatrixError if the buffer is too small,
/// ArgumentError if it belongs to another context. Operations refuse a buffer that was created with
/// CL_MEM_READ_ONLY as their output.
template <Element T>
Matrix<T> adopt(const Stream& stream, cl_mem buffer, std::size_t rows, std::size_t columns) {
  return detail::Access::make<Matrix<T>>(
      detail::adopt(stream, buffer, kElementType<T>, 0, rows, columns, columns));
}
template <Element T>
Matrix<T> adopt(const Engine& engine, cl_mem buffer, std::size_t rows, std::size_t columns) {
  return adopt<T>(engine.stream(), buffer, rows, columns);
}

/// The same as a view: element (i, j) is at index offset + i * leading_dimension + j of the buffer,
/// for any offset that keeps all elements inside, and leading_dimension >= columns.
template <Element T>
MatrixView<T> adopt_view(const Stream& stream, cl_mem buffer, std::size_t offset, std::size_t rows,
                         std::size_t columns, std::size_t leading_dimension) {
  return detail::Access::make<MatrixView<T>>(
      detail::adopt(stream, buffer, kElementType<T>, offset, rows, columns, leading_dimension));
}
template <Element T>
MatrixView<T> adopt_view(const Engine& engine, cl_mem buffer, std::size_t offset, std::size_t rows,
                         std::size_t columns, std::size_t leading_dimension) {
  return adopt_view<T>(engine.stream(), buffer, offset, rows, columns, leading_dimension);
}

/// An event of the application, which is retained. An operation or a stream can wait for it.
TESSERA_API Event event(cl_event event);
/// The last command of an operation, not retained; null for an empty event. Throws OpenClError if
/// the driver has no memory for an event.
TESSERA_API cl_event handle(const Event& event);

/// Handles of the library's objects, not retained.
TESSERA_API cl_context context(const Engine& engine);
TESSERA_API cl_device_id device(const Engine& engine);
TESSERA_API cl_command_queue queue(const Stream& stream);
inline cl_command_queue queue(const Engine& engine) { return queue(engine.stream()); }
/// The buffer of a matrix or a view; `view().offset()` is the index of the first element in it.
/// The library does not know what the application enqueues on it through its own queues: order that
/// with events (`wait_for`, `KernelRun::finished`). PoCL 3.1 aborts the process if a user event
/// that a command waits for is set to a failure: there, set it to CL_COMPLETE in any case.
template <MatrixLike M>
cl_mem buffer(const M& matrix) {
  return detail::buffer(detail::operand(matrix));
}

}  // namespace interop
}  // namespace tessera::inline v0
