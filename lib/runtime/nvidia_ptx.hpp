// NVIDIA PTX: instructions of one architecture, which OpenCL C does not compile for.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/binary_cache.hpp"

namespace tessera::inline v0::runtime {

/// Returns whether this source has lines of PTX for one architecture alone, such as sm_90a: "//@"
/// and an instruction, in an asm statement.
bool has_own_ptx(std::string_view source);

/// The PTX text that NVIDIA's driver gives as the binary of such a program, with those lines in
/// effect and for the device's own architecture: sm_90a in place of sm_90. Nothing if it is no PTX
/// for sm_90 or a later one.
std::optional<Binary> with_own_ptx(const Binary& binary);

}  // namespace tessera::inline v0::runtime
