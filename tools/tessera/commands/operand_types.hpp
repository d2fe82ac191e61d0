// Operand types: in which element type a product of these sources is computed.
#pragma once

#include <initializer_list>
#include <tessera/device.hpp>
#include <tessera/kernel.hpp>

#include "files/matrix_file.hpp"

namespace tessera::tool {

/// The type in which NumPy would multiply them, as far as there is such a type: double for text;
/// int32 for integers but int8 times int8; float in place of double on a device without it. A
/// generator has the other's type, two of them are float.
ElementType product_type(const Source& a, const Source& b, const DeviceInfo& device);

/// double, but float for .npy files of float and half, and on a device without double.
ElementType eigen_type(const Source& a, const DeviceInfo& device);

/// Whether integers of this source, as they are stored, can be larger than the element type of
/// their product.
bool is_wide_integer(const Source& source);

}  // namespace tessera::tool
