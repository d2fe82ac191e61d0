// The table of implicit_round variants. A new one is a row here and its file in cl/implicit_round/.
#include "eigen/implicit_round.hpp"

#include <algorithm>
#include <utility>

#include "eigen/round_check.hpp"
#include "eigen/round_workload.hpp"
#include "eigen/step_operation.hpp"
#include "eigen/step_variant.hpp"
#include "kernels/prefetch.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Plan;
using kernels::Target;
using runtime::Submission;

kernels::Variant row_per_group() {
  auto variant = tree_step("row_per_group", "for GPUs: a work-group some rows, by a tree");
  variant.parameters = {
      group_parameter(),
      {"MR", "rows of a work-group", {1, 2, 4, 8}},
      {"UNROLL", "elements of a row that a work-item has in flight", {1, 2, 4, 8}},
      {"CACHED_MIB", "MiB of A that stay in the cache; 0: none", {0, 8, 16, 24, 32}}};
  variant.rules.push_back({.text = "CACHED_MIB is 0 where reads have no cache policy",
                           .holds =
                               [](const Parameters& p, const Target& target) {
                                 return p.at("CACHED_MIB") == 0 ||
                                        target.device().has_cache_policies;
                               },
                           .depends_on = {"CACHED_MIB"}});
  variant.rules.push_back(
      {.text = "MR is at most LOCAL_SIZE",  // a work-item ends a row
       .holds = [](const Parameters& p, const Target&) { return p.at("MR") <= p.at("LOCAL_SIZE"); },
       .depends_on = {"MR", "LOCAL_SIZE"}});
  variant.preferred = [](const Target& target) {
    // 64 bytes per work-item: with 128 bytes, a solve in double of 8192 x 8192 takes 6 % longer on
    // an H200.
    const int unroll = target.types.a == ElementType::float64 ? 1 : 2;
    Parameters parameters = preferred_group(target);
    // Time of a solve in float on an H200 over its time with CACHED_MIB 0; less is better:
    //   matrix         16 MiB  24 MiB  32 MiB
    //   4096 x 4096    0.93    0.90    0.89
    //   8192 x 8192    0.95    0.94    0.95
    //   16384 x 16384  0.975   0.97    0.98
    // Products by a vector right after a solve are 5 % slower with a matrix of 49 MB, and no slower
    // with smaller matrices.
    const int cached_mib = target.device().has_cache_policies ? 24 : 0;
    parameters.merge(Parameters{{"MR", 8}, {"UNROLL", unroll}, {"CACHED_MIB", cached_mib}});
    return parameters;
  };
  variant.local_bytes = [](const Parameters& p, const Target& target) {
    const std::size_t numbers = target.mode.accumulator == Accumulator::float64 ? 1 : 2;
    const std::size_t sums = kernels::size(p, "MR") * numbers, extremes = 5;
    return (std::max(sums, extremes) * kernels::size(p, "LOCAL_SIZE") + 1) * sizeof(cl_double);
  };
  variant.unsupported_reason = refuse_accumulator;
  variant.options = round_options;
  return variant;
}

kernels::Variant row_per_item() {
  return {.name = "row_per_item",
          .summary = "for CPUs: a work-item a share of the rows, some at a time, by vectors",
          .parameters = {{"MR", "rows at a time", {1, 2, 4, 8}},
                         vector_parameter(),
                         {"PREFETCH", "prefetch distance in elements; 0: none", {0, 64, 128, 256}},
                         tasks_parameter()},
          .preferred =
              [](const Target& target) {
                return Parameters{{"MR", 8},
                                  {"VECTOR", preferred_vector(target)},
                                  {"PREFETCH", kernels::can_prefetch(target) ? 128 : 0},
                                  {"ITEMS_PER_CU", 2}};
              },
          .rules = {kernels::prefetch_rule()},
          .unsupported_reason = refuse_accumulator,
          .options =
              [](const Parameters& parameters, const Target& target) {
                return round_options(parameters, target) + " -D LOCAL_SIZE=1";
              },
          .for_cpus = true};
}

/// Launches `groups` work-groups a round, for at most so many rounds at once.
void launch(const Plan& plan, const ImplicitRoundCall& problem, Submission& submission,
            std::size_t groups, const kernels::WorkGroup& group, std::size_t at_once) {
  auto [step, a, p, q, s, ring, rounds, conclude, local_rows] = problem;
  while (rounds > 0) {
    const std::size_t now = std::min(rounds, at_once);
    submission.launch(plan.kernel(), {{groups * now, 1}, group}, *step.halt, cl_ulong{step.n},
                      problem.rows(), *a.buffer, a.at, ring, *p, *q, *s);
    if (conclude != nullptr) {
      submission.launch(conclude->kernel(), {{1, 1}, group_of(conclude->parameters)}, *step.halt,
                        static_cast<cl_uint>(groups), cl_ulong{step.n}, ring, *q);
    }
    ring.index = (ring.index + static_cast<cl_uint>(now)) % ring.size;
    rounds -= now;
  }
}

/// True if the rounds of a launch can wait for one another: no separate launch concludes them, and
/// work-groups that have begun always make progress, as on NVIDIA's devices.
bool can_take_turns(const ImplicitRoundCall& problem, Submission& submission) {
  return problem.conclude == nullptr &&
         runtime::capabilities(submission.stream()).find(LaneExchange::nvidia_ptx) != nullptr;
}

void enqueue_by_groups(const Plan& plan, const ImplicitRoundCall& problem, Submission& submission) {
  launch(plan, problem, submission, divide_up(problem.rows().count, plan.size("MR")),
         group_of(plan.parameters), can_take_turns(problem, submission) ? problem.rounds : 1);
}

void enqueue_by_items(const Plan& plan, const ImplicitRoundCall& problem, Submission& submission) {
  const std::size_t blocks = divide_up(problem.rows().count, plan.size("MR"));
  launch(plan, problem, submission, row_tasks(plan, submission, blocks), {1, 1}, 1);
}

std::vector<kernels::Row<ImplicitRoundCall>> rows() {
  return {{row_per_group(), enqueue_by_groups}, {row_per_item(), enqueue_by_items}};
}

/// Cases in the modes of a solve: its first round validates, its proof may be compensated.
std::vector<CheckCase> cases_of_modes(const ProductTypes& type, std::size_t largest) {
  std::vector<Mode> modes = {{.accumulator = Accumulator::float64, .validate = true},
                             {.accumulator = Accumulator::compensated}};
  if (type == ElementType::float32) {
    modes.push_back({.accumulator = Accumulator::two_floats});
    modes.push_back({.accumulator = Accumulator::two_floats, .validate = true});
  }
  std::vector<CheckCase> all;
  for (const Mode& mode : modes) {
    for (const std::size_t n : {2, 31, 64, 131, 259}) {
      if (n > largest) continue;
      const Problem problem{.types = type, .m = n, .n = n, .mode = mode};
      all.push_back({problem, all.size() % 3 == 1, all.size() + 1});
    }
  }
  return all;
}

kernels::Operation operation() {
  kernels::Operation operation = step_operation("implicit_round", Dimensions::square_matrix);
  operation.check = check_implicit_round;
  operation.check_cases = [any = operation.check_cases](const ProductTypes& type,
                                                        const Parameters& parameters, bool defaults,
                                                        std::size_t largest) {
    auto all = any(type, parameters, defaults, largest);
    if (!defaults) return all;
    const auto more = cases_of_modes(type, largest);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  operation.preference = by_rows;
  operation.work = work_over_matrix(2, 1);
  operation.workload = [](const Engine& engine, const Problem& problem, std::uint64_t seed) {
    return make_implicit_rounds(implicit_round_table(), engine, problem, seed);
  };
  operation.workload_matrices = implicit_round_matrices;
  operation.tuning_weight = 1;
  return operation;
}

}  // namespace

const kernels::Table<ImplicitRoundCall>& implicit_round_table() {
  static const kernels::Table<ImplicitRoundCall> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::eigen
