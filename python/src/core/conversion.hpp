// Conversion: turns the objects that operations accept into matrices on a device.
#pragma once

#include "host_array.hpp"

namespace tessera_py {

/// The matrix itself if it is one of the stream's context. Otherwise a matrix on the stream: a view
/// of a device's buffer (pyopencl, DLPack), or a copy of numbers. `or_columns` permits transposed
/// views, which cannot be written.
Matrix as_matrix(const ts::Stream& stream, nb::handle object, bool or_columns, const char* what);

/// An object with the method __dlpack__: a view of a buffer of OpenCL, or a copy of host memory.
Matrix from_dlpack(const ts::Stream& stream, nb::handle object);
/// The capsule of a matrix, as the array API's __dlpack__ describes it.
nb::object to_dlpack(const Matrix& matrix, nb::handle max_version, nb::handle dl_device,
                     nb::handle copy);

/// For __array__, which copies: raises ValueError if `copy` is False.
void require_copy(nb::handle copy);
/// The array in another dtype; None is its own.
nb::object as_dtype(nb::object array, nb::handle dtype);

constexpr int kDlpackCpu = 1, kDlpackOpenCl = 4;

}  // namespace tessera_py
