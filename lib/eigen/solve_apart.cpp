// Asks a child process for a solve, and answers as that child.
#include "eigen/solve_apart.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "eigen/plans_seen.hpp"
#include "kernels/json.hpp"
#include "operands/numbers.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/first_use.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Json;

struct Survived {};

/// Identifies these programs, and the requested solve with them.
std::string key_of(const std::vector<SharedPlan>& plans, const Json& request) {
  std::string key = request.dump();
  for (const SharedPlan& plan : plans)
    key += '\n' + kernels::text_of(plan->parameters) + '\n' + plan->program->identity();
  return key;
}

void solve_small(const Engine& engine, ElementType type, const EigenOptions& options) {
  constexpr std::size_t n = 67;
  std::vector<double> elements;
  for (std::size_t e = 0; e < n * n; e++) elements.push_back(static_cast<double>(1 + e % 7));
  const auto a = operands::matrix_of(engine.stream(), type, n, n, elements);
  operands::numbers_of(detail::dominant_eigenpair(a, options).vector);
}

}  // namespace

void survive_first_solve(runtime::Stream& stream, const SolverPlans& plans, ElementType type,
                         const EigenOptions& options) {
  auto& seen = stream.context().extension<PlansSeen<Survived>>();
  const auto all = plans.all();
  if (seen.contains({all, options.method, options.stop})) return;
  Json kernels = Json::object();
  for (const SharedPlan& plan : plans.operations()) {
    kernels[plan->variant->operation] =
        kernels::json_of(KernelChoice{plan->variant->name, plan->parameters});
  }
  const Json asked = {{"do", "solve"},
                      {"double", type == ElementType::float64},
                      {"method", static_cast<int>(options.method)},
                      {"stop", static_cast<int>(options.stop)},
                      {"accumulator", static_cast<int>(plans.accumulator)},
                      {"kernels", std::move(kernels)}};
  Json request = asked;
  request["capabilities"] = to_json(runtime::capabilities(stream));
  const auto fate = runtime::fate_of_child(stream.context(), key_of(all, asked), request);
  if (!fate.empty()) {
    throw UnsupportedError(
        "dominant_eigenpair",
        fmt::format("the process that solved a small matrix on {} {}; another method or other "
                    "kernels may do",
                    stream.context().device().info.name, fate),
        ErrorCode::failed_check);
  }
  seen.add({all, options.method, options.stop});
}

Json solve_first(const Engine& engine, const Json& request) {
  EigenOptions options{
      .method = static_cast<EigenMethod>(kernels::number<int>(request.at("method"), 0, 2)),
      .stop = static_cast<StopTest>(kernels::number<int>(request.at("stop"), 0, 1)),
      .accumulator =
          static_cast<Accumulator>(kernels::number<int>(request.at("accumulator"), 0, 3))};
  for (const auto& [operation, kernel] : request.at("kernels").items())
    options.kernels[operation] = kernels::kernel_of(kernel);
  const bool is_double = request.at("double") == true;
  solve_small(engine, is_double ? ElementType::float64 : ElementType::float32, options);
  return {{"solved", true}};
}

}  // namespace tessera::inline v0::eigen
