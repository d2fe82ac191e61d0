// Operand types: in which element type a product of these sources is computed.
#pragma once

#include <tessera/device.hpp>
#include <tessera/kernel.hpp>

#include "files/matrix_file.hpp"

namespace tessera::tool {

/// The element type in which NumPy multiplies the sources, if Tessera has it: double for text;
/// int32 for integers, but int8 for two of int8; float in place of double on a device without
/// double; bfloat16 with the promotions of ml_dtypes. A generator has the type of the other source;
/// two generators are float.
ElementType operand_type(const Source& a, const Source& b, const DeviceInfo& device);

/// double, but float for .npy files of float, half and bfloat16, and on a device without double.
ElementType eigen_type(const Source& a, const DeviceInfo& device);

/// Whether integers of this source, as they are stored, can be larger than the element type of
/// their product.
bool is_wide_integer(const Source& source);

}  // namespace tessera::tool
