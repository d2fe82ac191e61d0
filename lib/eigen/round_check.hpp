// Round check: compares implicit rounds with a reference, in every accumulator.
#pragma once

#include "kernels/workload.hpp"
#include "tessera/check.hpp"

namespace tessera::inline v0::eigen {

CheckResult check_implicit_round(const Engine& engine, const CheckCase& check_case,
                                 const kernels::SharedPlan& plan);

}  // namespace tessera::inline v0::eigen
