// Parts that the workloads of the eigenpair's operations share.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "eigen/reference.hpp"
#include "eigen/step_workload.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::eigen::workloads {

using kernels::Workload;
using reference::Output;
using runtime::MatrixSize;

/// A vector on the device, with a copy on the host.
template <class T>
struct Vector {
  std::vector<T> host;
  Matrix<T> device;

  Vector(const Engine& engine, std::size_t length, std::uint64_t seed)
      : host(numbers(length, seed)), device(engine, length, 1, host) {}

  /// From 1/2 to 2: neighbours must differ for the stop test.
  static std::vector<T> numbers(std::size_t length, std::uint64_t seed) {
    const reference::Generated<T> generated(seed, reference::Range::positive);
    std::vector<T> all(length);
    for (std::size_t i = 0; i < length; i++) all[i] = T(1.5) * generated[i] + T(0.3125);
    return all;
  }
};

/// Expected values of some elements of a vector.
struct Reference {
  std::vector<std::size_t> indices;
  std::vector<Bounded> values;
  void add(std::size_t index, const Bounded& value) {
    indices.push_back(index);
    values.push_back(value);
  }
};

template <class T>
std::string compare(const Reference& reference, Output<T>& output) {
  const auto computed = output.elements();
  for (std::size_t e = 0; e < reference.indices.size(); e++) {
    const std::size_t i = reference.indices[e];
    const double value = static_cast<double>(computed[i]);
    const auto& [right, bound] = reference.values[e];
    if (!(std::fabs(value - right) <= bound))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, value, right,
                         bound);
  }
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (std::isnan(static_cast<double>(computed[i])))
      return fmt::format("element {} was not written, or is NaN", i);
  }
  return output.guards_intact() ? "" : reference::kOutsideWritten;
}

template <class ForFloat, class ForDouble>
std::unique_ptr<Workload> make(const Engine& engine, const Problem& problem, std::uint64_t seed) {
  if (problem.type == ElementType::float64)
    return std::make_unique<ForDouble>(engine, problem, seed);
  return std::make_unique<ForFloat>(engine, problem, seed);
}

template <class ForFloat, class ForDouble>
std::vector<MatrixSize> matrices(const Problem& problem) {
  return problem.type == ElementType::float64 ? ForDouble::matrices(problem)
                                              : ForFloat::matrices(problem);
}

template <class ForFloat, class ForDouble>
constexpr StepWorkload kStep = {make<ForFloat, ForDouble>, matrices<ForFloat, ForDouble>};

}  // namespace tessera::inline v0::eigen::workloads
