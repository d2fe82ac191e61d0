// The lines of a solve's phases.
#include "eigen/phase_log.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "runtime/log.hpp"

namespace tessera::inline v0::eigen {

void log_phase(const EigenProgress& progress, std::string_view ending) {
  if (!runtime::log_wanted()) return;
  runtime::log(
      fmt::format("dominant_eigenpair, {}: {} iterations so far, bounds {:.15g} to {:.15g}, {}",
                  progress.phase, progress.iterations, progress.lower, progress.upper, ending));
}

std::string_view to_string(Halt halt) {
  constexpr std::array<std::string_view, 7> kNames = {
      "slow", "converged", "max_rounds", "stalled", "underflow", "overflow", "invalid elements"};
  return kNames.at(static_cast<std::size_t>(halt));
}

}  // namespace tessera::inline v0::eigen
