// Runs a plan on a small problem, and remembers on disk that it was right.
#include "kernels/self_check.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

constexpr std::string_view kRight = "right";

/// What is wrong with a kernel's result for a case, empty if nothing; no value if the check cannot
/// run, as where the caller's matrices leave no memory for it.
std::optional<std::string> failure_of(runtime::Stream& stream, const Operation& operation,
                                      const CheckCase& check_case, const KernelChoice& kernel) {
  try {
    return operation.check(engine_apart(stream), check_case, kernel).failure;
  } catch (const UnsupportedError&) {
  } catch (const MemoryError&) {
  }
  return std::nullopt;
}

}  // namespace

bool self_checks() { return runtime::environment("TESSERA_SELF_CHECK") != "off"; }

Engine engine_apart(runtime::Stream& stream) {
  return runtime::Handles::make<Engine>(
      runtime::open_stream(stream.context().shared_from_this(), runtime::Reports::own));
}

std::string self_check(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                       const KernelChoice& kernel, const std::string& program) {
  const DeviceInfo& device = stream.context().device().info;
  const Mode checked{.accuracy = problem.mode.accuracy};
  const bool is_checkable =
      operation.first_case && resolved(problem.mode, device) == resolved(checked, device);
  if (!is_checkable || !self_checks()) return {};
  const CheckCase check_case = operation.first_case(problem, kernel.parameters);
  const std::string name =
      fmt::format("{}/{} {}", operation.name, kernel.variant, text_of(kernel.parameters));
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}", kRight, TESSERA_VERSION, name,
                                      to_json(check_case.problem), program);
  const runtime::BinaryCache& disk = stream.context().programs().disk();
  if (disk.read(key)) return {};
  const auto start = std::chrono::steady_clock::now();
  const auto failure = failure_of(stream, operation, check_case, kernel);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (!failure) return {};
  if (failure->empty()) disk.write(key, {kRight.begin(), kRight.end()});
  if (runtime::log_wanted()) {
    runtime::log(fmt::format("self-check of {} in {:.1f} ms: {}", name, taken.count(),
                             failure->empty() ? kRight : *failure));
  }
  return *failure;
}

}  // namespace tessera::inline v0::kernels
