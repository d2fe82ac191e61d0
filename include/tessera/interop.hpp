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

namespace tessera::inline v0::interop {

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
template <class T>
TESSERA_API Matrix<T> adopt(const Stream& stream, cl_mem buffer, std::size_t rows,
                            std::size_t columns);

/// The same as a view: element (i, j) is at index offset + i * leading_dimension + j of the buffer,
/// for any offset that keeps all elements inside, and leading_dimension >= columns.
template <class T>
TESSERA_API MatrixView<T> adopt_view(const Stream& stream, cl_mem buffer, std::size_t offset,
                                     std::size_t rows, std::size_t columns,
                                     std::size_t leading_dimension);

/// Handles of the library's objects, not retained.
TESSERA_API cl_context context(const Engine& engine);
TESSERA_API cl_device_id device(const Engine& engine);
TESSERA_API cl_command_queue queue(const Stream& stream);
/// The buffer of a matrix or a view; `layout().offset` is the index of the first element in it.
/// The library does not know what the application enqueues on it through its own queues: order that
/// with events (`wait_for`, `KernelRun::finished`). PoCL 3.1 aborts the process if a user event
/// that a command waits for is set to a failure: there, set it to CL_COMPLETE in any case.
TESSERA_API cl_mem buffer(const MatrixLayout& layout);
template <MatrixLike M>
cl_mem buffer(const M& matrix) {
  return buffer(ConstMatrixView<typename M::element_type>(matrix).layout());
}

}  // namespace tessera::inline v0::interop
