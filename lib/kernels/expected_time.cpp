// Times from profiles, cost models and the limits of a CPU.
#include "kernels/expected_time.hpp"

#include <algorithm>

#include "kernels/profile.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::kernels {
namespace {

/// Performance of a core of today's server CPUs, measured on EPYC Zen 4 and Xeon Sapphire Rapids.
struct Core {
  double launch = 30e-6;           ///< seconds
  double fused_multiply_adds = 2;  ///< vectors per clock
  double efficiency = 0.8;         ///< of the arithmetic peak, for large products
  double bytes_per_second = 12e9;  ///< of memory
  double clock = 3e9;              ///< if the runtime does not report it
};

std::optional<double> roofline(const DeviceInfo& device, const Operation& operation,
                               const Problem& problem) {
  if (device.type != DeviceType::cpu) return std::nullopt;
  constexpr Core kCore;
  const Work work = operation.work(problem);
  const double cores = std::max(device.compute_units, 1U),
               clock = device.clock_mhz > 0 ? 1e6 * device.clock_mhz : kCore.clock,
               lanes =
                   device.simd_width * 4.0 / static_cast<double>(element_size(problem.types.sum));
  const double flops = 2 * kCore.fused_multiply_adds * lanes * clock * cores * kCore.efficiency;
  return kCore.launch + std::max(work.flops / flops, work.bytes / (kCore.bytes_per_second * cores));
}

}  // namespace

std::optional<double> expected_seconds(runtime::Stream& stream, const Operation& operation,
                                       const Problem& problem, const Plan& plan) {
  const auto is_planned = [&](std::string_view variant) { return plan.variant->name == variant; };
  const auto tuned = profile_of(stream).find(operation, problem);
  if (tuned && tuned->seconds && is_planned(tuned->choice.variant)) return tuned->seconds;
  const DeviceCapabilities& device = runtime::capabilities(stream);
  for (const Preferred& preferred : operation.preference(device, problem)) {
    if (is_planned(preferred.variant) && preferred.seconds) return preferred.seconds;
  }
  return roofline(device, operation, problem);
}

}  // namespace tessera::inline v0::kernels
