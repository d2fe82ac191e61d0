// The table of the kernels in cl/eigenpair/.
#include "eigen/solver_kernels.hpp"

#include <utility>
#include <vector>

#include "eigen/step_variant.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Target;
using kernels::Variant;

Variant solver_kernel(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .types = real_types(),
          .unsupported_reason = refuse_accumulator,
          .options = mode_options,
          .operation = "eigenpair"};
}

/// A kernel that is launched with one work-group.
Variant group_kernel(std::string name, std::string summary) {
  Variant variant = solver_kernel(std::move(name), std::move(summary));
  variant.parameters.push_back(
      {"LOCAL_SIZE", "work-items of a work-group", {1, 64, 128, 256, 512, 1024}});
  variant.preferred = [](const Target& target) {
    const bool cpu = target.device().type == DeviceType::cpu;
    return Parameters{{"LOCAL_SIZE", cpu ? 1 : 1024}};
  };
  variant.work_group = group_of;
  variant.local_bytes = [](const Parameters& parameters, const Target&) {
    return kernels::size(parameters, "LOCAL_SIZE") * 5 * sizeof(cl_double);
  };
  return variant;
}

Variant conclude() {
  Variant variant = group_kernel("conclude", "bounds and stop test of an implicit round");
  variant.options = round_options;
  return variant;
}

Variant transpose() {
  return {.name = "transpose",
          .summary = "a transposed copy of the matrix",
          .types = real_types(),
          .parameters = {{"TILE", "rows and columns of a work-group's tile", {1, 4, 8, 16}}},
          .preferred =
              [](const Target&) {
                return Parameters{{"TILE", 16}};
              },
          .work_group =
              [](const Parameters& parameters) {
                const std::size_t tile = kernels::size(parameters, "TILE");
                return kernels::WorkGroup{tile, tile};
              },
          .operation = "eigenpair"};
}

const std::vector<Variant>& rows() {
  static const std::vector<Variant> all = {
      solver_kernel("begin", "the initial state and vector of a solve"),
      solver_kernel("conclude_steps", "bounds and stop test of a round in steps"),
      solver_kernel("widen", "a vector converted to wide numbers"),
      conclude(),
      group_kernel("finish", "the evidence of a wide vector, normalised in the matrix's type"),
      transpose()};
  return all;
}

kernels::Operation make() {
  kernels::Operation operation{.name = "eigenpair", .types = real_types()};
  for (const Variant& row : rows()) operation.variants.push_back(&row);
  return operation;
}

}  // namespace

const kernels::Operation& solver_kernels() {
  static const kernels::Operation operation = make();
  return operation;
}

}  // namespace tessera::inline v0::eigen
