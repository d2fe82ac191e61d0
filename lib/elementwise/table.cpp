// The table of add. A new variant is a row here and its file in cl/add/.
#include "elementwise/table.hpp"

#include <vector>

#include "elementwise/check.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::elementwise {
namespace {

using kernels::Plan;
using kernels::Target;
using kernels::WorkGroup;

void enqueue_per_item(const Plan& plan, const AddCall& call, runtime::Submission& submission) {
  const std::size_t group = plan.size("LOCAL_SIZE");
  const auto from = [](const operands::Operand& operand, std::size_t row) {
    operands::Layout at = operand.at;
    at.offset += row * at.row;
    return at;
  };
  operands::slices(call.rows, 1, [&](std::size_t first, std::size_t count) {
    submission.launch(plan.kernel(),
                      {{operands::divide_up(call.columns, group), count}, {group, 1}},
                      cl_ulong{call.columns}, call.alpha, call.beta, call.constant, call.a.buffer(),
                      from(call.a, first), call.b.buffer(), from(call.b, first), call.c.buffer(),
                      from(call.c, first));
  });
}

kernels::Row<AddCall> per_item() {
  return {.kernel = {.name = "per_item",
                     .summary = "one work-item per element",
                     .parameters = {{"LOCAL_SIZE", "work-items of a work-group", {1, 16, 64, 256}}},
                     .preferred =
                         [](const Target&) {
                           return Parameters{{"LOCAL_SIZE", 256}};
                         },
                     .work_group =
                         [](const Parameters& parameters) {
                           return WorkGroup{kernels::size(parameters, "LOCAL_SIZE"), 1};
                         }},
          .enqueue = enqueue_per_item};
}

Work add_work(const Problem& problem) {
  const double elements = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const double size = static_cast<double>(element_size(problem.types.a));
  // Two products and two sums; complex ones are 6 and 2 real operations.
  return {(is_complex(problem.types.a) ? 16 : 4) * elements, 3 * size * elements};
}

kernels::Operation operation() {
  kernels::Operation operation{
      .name = "add",
      .types = {ElementType::float32, ElementType::float64, ElementType::int32,
                ElementType::float16, ElementType::bfloat16, ElementType::complex64,
                ElementType::complex128},
      .preference = [](const DeviceCapabilities&,
                       const Problem&) { return kernels::Preference{"per_item"}; },
      .work = add_work,
      .check_cases = add_cases,
      .final_cases = final_add_cases,
      .first_cases = first_add_cases};
  kernels::set_trial(operation, kAddTrial);
  // Both factors, so that a kernel reads all operands.
  operation.workload = [make = operation.workload](const Engine& engine, Problem problem,
                                                   std::uint64_t seed) {
    problem.alpha = 2;
    problem.beta = -3;
    return make(engine, problem, seed);
  };
  return operation;
}

}  // namespace

const kernels::Table<AddCall>& add_table() {
  static const kernels::Table<AddCall> table(operation(), {per_item()});
  return table;
}

}  // namespace tessera::inline v0::elementwise
