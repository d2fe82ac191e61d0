// Vectors of the eigenpair's workloads, and their comparison with a reference.
#include "eigen/workload_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "operands/numbers.hpp"
#include "reference/generated.hpp"

namespace tessera::inline v0::eigen::workloads {
namespace {

std::vector<double> numbers_of(ElementType type, std::size_t length, std::uint64_t seed) {
  const reference::Generated generated(type, seed, reference::Range::positive);
  std::vector<double> all(length);
  for (std::size_t i = 0; i < length; i++)
    all[i] = operands::rounded(type, 1.5 * generated[i] + 0.3125);
  return all;
}

}  // namespace

Vector::Vector(const Engine& engine, ElementType type, std::size_t length, std::uint64_t seed)
    : host(numbers_of(type, length, seed)),
      device(operands::matrix_of(engine.stream(), type, length, 1, host)) {}

std::string compare(const Reference& reference, const Output& output) {
  const auto computed = output.elements();
  for (std::size_t e = 0; e < reference.indices.size(); e++) {
    const std::size_t i = reference.indices[e];
    const auto& [right, bound] = reference.values[e];
    if (!(std::fabs(computed[i] - right) <= bound))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, computed[i],
                         right, bound);
  }
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (std::isnan(computed[i])) return fmt::format("element {} was not written, or is NaN", i);
  }
  return output.guards_intact() ? "" : reference::kOutsideWritten;
}

}  // namespace tessera::inline v0::eigen::workloads
