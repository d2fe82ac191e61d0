// Checks of the eigenpair's operations: each runs one case, every element compared with double.
#pragma once

#include "kernels/workload.hpp"
#include "tessera/check.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

CheckResult check_row_sum(const Engine& engine, const CheckCase& check_case,
                          const kernels::SharedPlan& plan);
CheckResult check_vector_max(const Engine& engine, const CheckCase& check_case,
                             const kernels::SharedPlan& plan);
CheckResult check_row_bounds(const Engine& engine, const CheckCase& check_case,
                             const kernels::SharedPlan& plan);
CheckResult check_eigenvector(const Engine& engine, const CheckCase& check_case,
                              const kernels::SharedPlan& plan);
CheckResult check_similarity_transform(const Engine& engine, const CheckCase& check_case,
                                       const kernels::SharedPlan& plan);
CheckResult check_stop(const Engine& engine, const CheckCase& check_case,
                       const kernels::SharedPlan& plan);
CheckResult check_fused_round(const Engine& engine, const CheckCase& check_case,
                              const kernels::SharedPlan& plan);
CheckResult check_implicit_round(const Engine& engine, const CheckCase& check_case,
                                 const kernels::SharedPlan& plan);

}  // namespace tessera::inline v0::eigen
