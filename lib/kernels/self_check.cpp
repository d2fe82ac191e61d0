// Runs a plan on small problems, and remembers on disk that it was right.
#include "kernels/self_check.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <vector>

#include "kernels/plan.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"

namespace tessera::inline v0::kernels {
namespace {

constexpr std::string_view kRight = "right";

/// Returns what is wrong with a kernel's first wrong result; empty if nothing. Skips unsupported
/// cases. Throws UnsupportedError if no case is supported.
std::string failure_of(const Engine& engine, const Operation& operation,
                       const std::vector<CheckCase>& cases, const SharedPlan& plan) {
  bool ran = false;
  for (const CheckCase& check_case : cases) {
    try {
      const auto failure = operation.check(engine, check_case, plan).failure;
      if (!failure.empty())
        return fmt::format("{}: {}", dimensions_text(operation, check_case.problem), failure);
      ran = true;
    } catch (const UnsupportedError&) {
      if (!ran && &check_case == &cases.back()) throw;
    }
  }
  return {};
}

}  // namespace

bool self_checks() { return runtime::environment("TESSERA_SELF_CHECK") != "off"; }

Engine engine_apart(runtime::Stream& stream) {
  return detail::Access::make<Engine>(
      runtime::open_stream(stream.context().shared_from_this(), runtime::Reports::own));
}

std::string check_once(runtime::Stream& stream, const std::string& what,
                       const std::string& programs,
                       const std::function<std::string()>& failure_of) {
  if (!self_checks()) return {};
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", kRight, TESSERA_VERSION_STRING, what, programs);
  const runtime::BinaryCache& disk = stream.context().programs().disk();
  if (disk.read(key)) return {};
  const auto start = std::chrono::steady_clock::now();
  std::string failure;
  try {
    failure = failure_of();
  } catch (const UnsupportedError&) {
    return {};
  } catch (const MemoryError&) {  // as where the caller's matrices leave none
    return {};
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (failure.empty()) disk.write(key, {kRight.begin(), kRight.end()});
  if (runtime::log_wanted()) {
    runtime::log(fmt::format("self-check of {} in {:.1f} ms: {}", what, taken.count(),
                             failure.empty() ? kRight : failure));
  }
  return failure;
}

std::string self_check(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                       const SharedPlan& plan) {
  if (!operation.first_cases) return {};
  const auto cases = operation.first_cases(problem, plan->parameters);
  std::string programs = plan->program->identity();
  for (const CheckCase& check_case : cases) programs += to_json(check_case.problem);
  const std::string what = fmt::format("{}/{} {}{}", operation.name, plan->variant->name,
                                       text_of(plan->parameters), to_json(cases.front().problem));
  return check_once(stream, what, programs,
                    [&] { return failure_of(engine_apart(stream), operation, cases, plan); });
}

}  // namespace tessera::inline v0::kernels
