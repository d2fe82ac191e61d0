// Phase log: a line for each phase of a solve, if TESSERA_LOG is info.
#pragma once

#include <string_view>

#include "eigen/device_state.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// "implicit rounds: 16 iterations so far, bounds 1.5 to 1.6, converged".
void log_phase(const EigenProgress& progress, std::string_view ending);

/// "converged" …; "slow" if the host ended the rounds.
std::string_view to_string(Halt halt);

}  // namespace tessera::inline v0::eigen
