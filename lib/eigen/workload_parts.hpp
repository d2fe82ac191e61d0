// Parts that the workloads of the eigenpair's operations share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eigen/reference.hpp"
#include "eigen/step_workload.hpp"
#include "reference/output.hpp"

namespace tessera::inline v0::eigen::workloads {

using kernels::Workload;
using reference::Output;
using runtime::MatrixSize;

/// A vector on the device, with a copy on the host.
struct Vector {
  std::vector<double> host;
  detail::Operand device;

  /// From 1/2 to 2: neighbours must differ for the stop test.
  Vector(const Engine& engine, ElementType type, std::size_t length, std::uint64_t seed);
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

/// Returns what is wrong with a vector; empty if nothing.
std::string compare(const Reference& reference, const Output& output);

inline MatrixSize size_of(ElementType type, std::size_t rows, std::size_t columns) {
  return {rows, columns, element_size(type)};
}

template <class Made>
std::unique_ptr<Workload> make(const Engine& engine, const Problem& problem, std::uint64_t seed) {
  return std::make_unique<Made>(engine, problem, seed);
}

template <class Made>
constexpr StepWorkload kStep = {make<Made>, Made::matrices};

}  // namespace tessera::inline v0::eigen::workloads
