// Residual: how far a rounded pair is from an eigenpair, on the host.
#pragma once

#include <span>

namespace tessera::inline v0::eigen {

/// At least ||A v - value v|| / (value ||v||), maximum norms, for `a` row-major, neither negative,
/// and `vector` with a maximum of 1. 0 where A v and value v are 0.
double residual_of(std::span<const double> a, std::span<const double> vector, double value);

}  // namespace tessera::inline v0::eigen
