// The library's table of contents: every operation's row, and public functions that use a row.
#include "operations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "elementwise/table.hpp"
#include "kernels/planner.hpp"
#include "kernels/profile.hpp"
#include "multiply/table.hpp"
#include "multiply/vector_table.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/check.hpp"
#include "tessera/error.hpp"
#include "tessera/kernel.hpp"

namespace tessera::inline v0 {
namespace {

std::vector<OperationInfo> list() {
  std::vector<OperationInfo> all;
  for (const kernels::Operation* operation : operation_tables()) {
    all.push_back({.name = operation->name,
                   .dimensions = operation->dimensions,
                   .types = operation->types,
                   .transposes = operation->transposes,
                   .batches = operation->batches,
                   .limited_by_memory = operation->limited_by_memory,
                   .tuning_weight = operation->tuning_weight});
    for (const kernels::Variant* variant : operation->variants)
      all.back().variants.push_back(detail::Access::make<VariantInfo>(*variant));
  }
  return all;
}

}  // namespace

const std::vector<const kernels::Operation*>& operation_tables() {
  static const std::vector<const kernels::Operation*> all = {
      &multiplication::multiply_table().operation(),
      &multiplication::matrix_vector_table().operation(),
      &elementwise::add_table().operation(),
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

const kernels::Operation& find_operation(std::string_view name) {
  std::vector<std::string> names;
  for (const kernels::Operation* operation : operation_tables()) {
    if (operation->name == name) return *operation;
    names.push_back(operation->name);
  }
  throw ArgumentError(ErrorCode::unknown_name, fmt::format("no operation \"{}\"; there are: {}",
                                                           name, fmt::join(names, ", ")));
}

const std::vector<OperationInfo>& operations() {
  static const std::vector<OperationInfo> all = list();
  return all;
}

const OperationInfo& info_of(const std::string& operation) {
  const auto& all = operation_tables();
  const auto place = std::ranges::find(all, &find_operation(operation));
  return operations()[static_cast<std::size_t>(place - all.begin())];
}

std::string describe(const Problem& problem) {
  return kernels::describe(find_operation(problem.operation), problem);
}

std::string describe(const CheckCase& check_case) {
  const Problem& problem = check_case.problem;
  return kernels::dimensions_text(find_operation(problem.operation), problem) +
         (check_case.strided ? ", strided" : "") + (check_case.non_finite ? ", not finite" : "");
}

Problem canonical(Problem problem) {
  const Dimensions dimensions = find_operation(problem.operation).dimensions;
  if (dimensions == Dimensions::vector_product) problem.n = 1;
  if (dimensions == Dimensions::matrix || dimensions == Dimensions::square_matrix) problem.k = 1;
  return problem;
}

Work work_of(const Problem& problem) {
  return find_operation(problem.operation).work(canonical(problem));
}

std::vector<CheckCase> check_cases(const std::string& operation, const ProductTypes& types,
                                   const Parameters& parameters, bool defaults,
                                   std::size_t largest) {
  const kernels::Operation& row = find_operation(operation);
  auto cases = row.check_cases(types, parameters, defaults, largest);
  for (CheckCase& one : cases) one.problem.operation = row.name;
  return cases;
}

Mode check_mode(const Engine& engine, const VariantInfo& variant, const ProductTypes& types) {
  const Mode bounded{.accuracy = Accuracy::bounded};
  const bool is_bounded =
      !variant.runs_on(engine, types) && variant.runs_on(engine, types, bounded);
  return is_bounded ? bounded : Mode();
}

CheckResult check(const Engine& engine, const CheckCase& check_case, const KernelChoice& kernel) {
  CheckCase known = check_case;
  known.problem = canonical(known.problem);
  const kernels::Operation& operation = find_operation(known.problem.operation);
  const auto plan = runtime::with_opencl_errors(
      [&] { return kernels::plan(runtime::stream_of(engine), operation, known.problem, kernel); },
      [&] { return operation.name; });
  return operation.check(engine, known, plan);
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
