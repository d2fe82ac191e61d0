// Operand types: in which element type a product of these sources is computed.
#pragma once

#include <initializer_list>
#include <tessera/device.hpp>
#include <tessera/kernel.hpp>

#include "files/matrix_file.hpp"

namespace tessera::tool {

/// The type in which NumPy would multiply the operands, if Tessera has it: double for text; int32
/// for integers except int8 times int8; float instead of double on a device without it. A generator
/// has the other operand's type; two of them are float.
ElementType product_type(const Source& a, const Source& b, const DeviceInfo& device);

/// double, but float for .npy files of float and half, and on a device without double.
ElementType eigen_type(const Source& a, const DeviceInfo& device);

/// Returns whether the source's integer type can hold larger numbers than the element type of the
/// product.
bool is_wide_integer(const Source& source);

}  // namespace tessera::tool
