// The time in which kernels that read their operands by tensor maps copy operands and store C, on
// an H200.
#pragma once

#include "multiply/gpu/candidate.hpp"
#include "multiply/nvidia/mapped.hpp"

namespace tessera::inline v0::multiplication {

constexpr double kCopied = 3e6;    ///< bytes that are packed or copied in a microsecond
constexpr double kCopyLaunch = 9;  ///< microseconds of multiply_copy_operands' launch

/// Microseconds in which a launch copies an operand; 0 for one whose neighbours in memory are
/// neighbours in tiles, `in_order`, and aligned.
double time_to_copy(const Side& side, bool in_order, const MappedTiles& tiles, ElementType type);

/// The elements from one row of C to the next.
std::size_t pitch_of_c(const Problem& problem);
/// Microseconds in which such kernels store C.
double time_to_store(const Problem& problem);

}  // namespace tessera::inline v0::multiplication
