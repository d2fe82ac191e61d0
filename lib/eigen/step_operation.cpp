// Check cases, work and preferences, which the rows of the eigenpair's operations share.
#include "eigen/step_operation.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "eigen/step_variant.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// Matrices of many sizes, rectangular if the operation allows it.
std::vector<CheckCase> cases(const std::string& operation, Dimensions dimensions,
                             const ProductTypes& type, bool defaults, std::size_t largest) {
  std::vector<std::size_t> sizes = {1, 2, 3, 16, 31, 65, 131, 259};
  if (defaults) sizes.insert(sizes.end(), {7, 15, 17, 32, 33, 63, 64, 127, 128, 257, 521, 1031});
  std::vector<CheckCase> all;
  for (const std::size_t m : sizes) {
    if (m > largest) continue;
    const std::size_t turn = all.size();
    const std::size_t wide = turn % 2 == 0 ? m + 2 : 3 * m / 4 + 1;
    const std::size_t n = dimensions == Dimensions::matrix ? std::min(wide, largest) : m;
    all.push_back(
        {{.operation = operation, .types = type, .m = m, .n = n}, turn % 3 == 1, turn + 1});
  }
  return all;
}

Work work(const Problem& problem, double elements, double flops, double moved) {
  return {flops * elements, moved * elements * static_cast<double>(element_size(problem.types.a))};
}

}  // namespace

kernels::Operation step_operation(std::string name, Dimensions dimensions) {
  kernels::Operation row;
  row.name = name;
  row.dimensions = dimensions;
  row.types = real_types();
  row.check_cases = [name, dimensions](const ProductTypes& type, const Parameters&, bool defaults,
                                       std::size_t largest) {
    return cases(name, dimensions, type, defaults, largest);
  };
  row.final_cases = [name, dimensions](const Problem& problem, const Parameters&, std::uint64_t) {
    auto all = cases(name, dimensions, problem.types, false, 1000);
    for (CheckCase& one : all) one.problem.mode = problem.mode;
    return all;
  };
  row.first_cases = [name, dimensions](const Problem& problem, const Parameters&) {
    const std::size_t m = 131, n = dimensions == Dimensions::matrix ? 99 : m;
    return std::vector<CheckCase>{
        {{.operation = name, .types = problem.types, .m = m, .n = n, .mode = problem.mode}}};
  };
  return row;
}

kernels::Operation step_operation(std::string name, Dimensions dimensions,
                                  const kernels::Trial& trial) {
  auto row = step_operation(std::move(name), dimensions);
  kernels::set_trial(row, trial);
  return row;
}

std::function<Work(const Problem&)> work_over_matrix(double flops, double moved) {
  return [=](const Problem& problem) {
    return work(problem, static_cast<double>(problem.m) * static_cast<double>(problem.n), flops,
                moved);
  };
}

std::function<Work(const Problem&)> work_over_vector(double flops, double moved) {
  return [=](const Problem& problem) {
    return work(problem, static_cast<double>(problem.m), flops, moved);
  };
}

std::function<kernels::Preference(const DeviceCapabilities&, const Problem&)> prefer(
    std::initializer_list<std::string_view> names) {
  return [preference = kernels::Preference(names.begin(), names.end())](
             const DeviceCapabilities&, const Problem&) { return preference; };
}

}  // namespace tessera::inline v0::eigen
