// The library's table of contents: operations, and the trials of their variants.
#include "operations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "eigen/check.hpp"
#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "eigen/workload.hpp"
#include "kernels/profile.hpp"
#include "multiply/variants.hpp"
#include "multiply/workload.hpp"
#include "tessera/check.hpp"
#include "tessera/error.hpp"
#include "tessera/kernel.hpp"
#include "tessera/tune.hpp"

namespace tessera::inline v0 {
namespace {

std::vector<OperationInfo> list() {
  std::vector<OperationInfo> all;
  for (const kernels::Operation* operation : operation_tables()) {
    OperationInfo& info = all.emplace_back();
    info.name = operation->name;
    info.types = operation->types;
    for (const kernels::Variant* variant : operation->variants)
      info.variants.emplace_back(*variant);
  }
  return all;
}

template <Element T>
CheckCase check_case_of(const MultiplyCase& product) {
  return {describe(product), [product](const Engine& engine, const KernelChoice& kernel) {
            return check_multiply<T>(engine, product, kernel);
          }};
}

}  // namespace

CheckCase check_case_of(const MultiplyCase& product, ElementType type) {
  switch (type) {
    case ElementType::float64: return check_case_of<double>(product);
    case ElementType::int32: return check_case_of<std::int32_t>(product);
    case ElementType::float16: return check_case_of<half>(product);
    case ElementType::float32: break;
  }
  return check_case_of<float>(product);
}

const std::vector<const kernels::Operation*>& operation_tables() {
  static const std::vector<const kernels::Operation*> all = {
      &multiplication::multiply_table().operation(),
      &eigen::row_sum_table().operation(),
      &eigen::vector_max_table().operation(),
      &eigen::row_bounds_table().operation(),
      &eigen::eigenvector_table().operation(),
      &eigen::similarity_transform_table().operation(),
      &eigen::stop_table().operation(),
      &eigen::fused_round_table().operation(),
      &eigen::implicit_round_table().operation()};
  return all;
}

const kernels::Operation& find_operation(const std::string& name) {
  std::vector<std::string> names;
  for (const kernels::Operation* operation : operation_tables()) {
    if (operation->name == name) return *operation;
    names.push_back(operation->name);
  }
  throw ArgumentError(
      fmt::format("no operation \"{}\"; there are: {}", name, fmt::join(names, ", ")));
}

const std::vector<OperationInfo>& operations() {
  static const std::vector<OperationInfo> all = list();
  return all;
}

std::vector<CheckCase> check_cases(const std::string& operation, ElementType type,
                                   const Parameters& parameters, bool defaults,
                                   std::size_t largest) {
  if (operation != "multiply") return eigen::check_cases(operation, type, defaults, largest);
  std::vector<CheckCase> all;
  for (const MultiplyCase& product : edge_cases(parameters, largest))
    all.push_back(check_case_of(product, type));
  if (defaults) {
    for (const MultiplyCase& product : crossed_cases(largest))
      all.push_back(check_case_of(product, type));
  }
  return all;
}

bool has_transposes(const TuneProblem& problem) { return problem.operation == "multiply"; }

std::unique_ptr<kernels::Workload> make_workload(const Engine& engine, const TuneProblem& problem,
                                                 std::uint64_t seed) {
  return problem.operation == "multiply"
             ? multiplication::make_multiply_workload(engine, problem, seed)
             : eigen::make_stage_workload(engine, problem, seed);
}

Work work_of(const TuneProblem& problem) {
  return problem.operation == "multiply" ? multiplication::multiply_work(problem)
                                         : eigen::stage_work(problem);
}

std::vector<CheckCase> last_cases(const TuneProblem& problem, const KernelChoice& kernel,
                                  std::uint64_t seed) {
  if (problem.operation != "multiply")
    return check_cases(problem.operation, problem.type, kernel.parameters, false);
  std::vector<CheckCase> all;
  for (const MultiplyCase& product : multiplication::last_multiply_cases(problem, seed))
    all.push_back(check_case_of(product, problem.type));
  return all;
}

std::string why_not_used(const Engine& engine, const ProfileEntry& entry) {
  const DeviceInfo& device = engine.device();
  if (entry.device != device.name || entry.platform != device.platform)
    return fmt::format("it is for {}", entry.device);
  try {
    return kernels::change_since(entry, find_operation(entry.problem.operation), device.driver);
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

std::vector<ProfileEntry> shipped_profile(const Engine& engine) {
  return kernels::shipped_entries(engine.device());
}

}  // namespace tessera::inline v0
