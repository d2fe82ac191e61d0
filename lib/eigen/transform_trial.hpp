// Transform trial: what the trials of a similarity transform share, with and without the next row
// sums.
#pragma once

#include <random>
#include <vector>

#include "eigen/reference.hpp"
#include "kernels/trial.hpp"
#include "reference/guarded.hpp"

namespace tessera::inline v0::eigen {

/// b, which may replace a, then a and s.
inline std::vector<kernels::TrialOperand> transform_operands(const Problem& problem,
                                                             std::mt19937_64& random) {
  const ElementType type = problem.types.a;
  const std::size_t n = problem.m;
  return {{.type = type, .rows = n, .columns = n, .role = kernels::Role::output, .may_replace = 1},
          {type, n, n},
          {.type = type,
           .rows = n,
           .columns = 1,
           .values = reference::uniform_elements(type, n, random, 0.1, 3)}};
}

/// a_ij * s_j / s_i.
inline Bounded reference_transform(const Problem& problem, const kernels::Before& before,
                                   std::size_t i, std::size_t j) {
  return reference_quotient(problem.types.a, before(1, i * problem.m + j), before(2, j),
                            before(2, i));
}

}  // namespace tessera::inline v0::eigen
