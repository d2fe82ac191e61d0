// Solve: from a checked matrix to its eigenpair, by rounds on the device, and to their proof.
#pragma once

#include <cstddef>

#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Thrown where a row has an element that the solver cannot take, or none but zeros.
struct BadRow {
  std::size_t row;
};

/// `Part` is what wide numbers are made of: double, or float on devices without it.
template <Real T, class Component>
EigenPair<T> solve(const ConstMatrixView<T>& a, const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
