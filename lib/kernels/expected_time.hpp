// Expected time: how long a call of a plan is likely to take.
#pragma once

#include "kernels/plan.hpp"

namespace tessera::inline v0::kernels {

/// Seconds of one call on an idle device: as a tuner timed it, else as the operation's cost model
/// expects, else a roofline estimate for CPUs, which is within a factor of two for large problems.
/// Empty if nothing is known.
std::optional<double> expected_seconds(runtime::Stream& stream, const Operation& operation,
                                       const Problem& problem, const Plan& plan);

}  // namespace tessera::inline v0::kernels
