// The multiply operation: its table of variants.
#pragma once

#include "kernels/plan.hpp"
#include "multiply/problem.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// A row of the table. `enqueue` is given a product that is not empty; what the row and its
/// parameters cannot do it refuses with UnsupportedError before it enqueues anything.
struct MultiplyVariant {
  kernels::Variant kernel;
  void (*enqueue)(const kernels::Plan& plan, const Problem& problem,
                  runtime::Submission& submission);
};

const kernels::Operation& multiply_operation();

/// Enqueues the kernels of a plan that was made for the multiply operation.
void enqueue(const kernels::Plan& plan, const Problem& problem, runtime::Submission& submission);

}  // namespace tessera::inline v0::multiplication
