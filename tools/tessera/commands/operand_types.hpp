// Operand types: in which element type a product of these sources is computed.
#pragma once

#include <tessera/device.hpp>
#include <tessera/kernel.hpp>

#include "files/matrix_file.hpp"

namespace tessera::tool {

/// The element type in which NumPy multiplies the sources, with these rules of Tessera's:
/// - text is double
/// - integers multiply in int32, or in int8 if both are int8
/// - bfloat16 has the promotions of ml_dtypes
/// - a generator has the type of the other source; two generators are float
/// - float takes the place of double on a device without double
ElementType operand_type(const Source& a, const Source& b, const DeviceInfo& device);

/// double, but float for .npy files of float, half and bfloat16, and on a device without double.
ElementType eigen_type(const Source& a, const DeviceInfo& device);

/// Whether integers of this source, as they are stored, can be larger than the element type of
/// their product.
bool is_wide_integer(const Source& source);

}  // namespace tessera::tool
