// Lane exchange of a device: suggested by its extensions, proven by a small kernel.
#include "kernels/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "kernels/element.hpp"
#include "runtime/log.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::kernels {
namespace {

constexpr std::array kSizes = {4, 8, 16, 32, 64};
constexpr unsigned kProbedSubGroups = 2;

/// What was found out about a context's device.
struct Findings {
  std::mutex mutex;
  std::optional<std::vector<LaneSupport>> support;
  std::optional<bool> block_reads;
};

bool allows(const DeviceInfo& device, std::size_t size) {
  return device.sub_group_sizes.empty()
             ? size == device.simd_width
             : std::ranges::find(device.sub_group_sizes, size) != device.sub_group_sizes.end();
}

bool has_core_sub_groups(const runtime::Device& device) {
  constexpr cl_device_info kMaxSubGroups = 0x105C;  // of OpenCL 2.1
  cl_uint maximum = 0;
  return clGetDeviceInfo(device.handle(), kMaxSubGroups, sizeof maximum, &maximum, nullptr) ==
             CL_SUCCESS &&
         maximum > 0;
}

/// Sub-group sizes that a back end may have here; none where it cannot be there.
std::vector<int> suggested_sizes(const runtime::Device& device, Exchange exchange) {
  const DeviceInfo& info = device.info;
  std::vector<int> sizes;
  std::ranges::copy_if(kSizes, std::back_inserter(sizes), [&](int size) {
    switch (exchange) {
      case Exchange::local_memory: return static_cast<std::size_t>(size) <= info.max_work_group;
      case Exchange::intel_subgroups:
        return info.has_extension("cl_intel_subgroups") && allows(info, size);
      case Exchange::khr_subgroups:
        return (info.has_extension("cl_khr_subgroups") || has_core_sub_groups(device)) &&
               allows(info, size);
      case Exchange::nvidia_ptx:
        return info.has_extension("cl_nv_device_attribute_query") && info.simd_width == 32 &&
               size == 32;
    }
    return false;
  });
  return sizes;
}

/// Builds and runs cl/lanes/<probe>.cl, whose work-items count what went wrong. Any failure is a
/// no.
bool works(runtime::Stream& caller, const std::string& probe, Exchange exchange, int lanes) try {
  // Not the caller's: that one may wait for something which the caller has yet to do.
  runtime::Stream stream(caller.context());
  const auto& device = stream.context().device();
  const std::string options =
      fmt::format("{} -D SHUFFLE={} -D SUBGROUP_SIZE={} -D SUB_GROUPS={}{}",
                  element_option(ElementType::float32), static_cast<int>(exchange), lanes,
                  kProbedSubGroups, lane_options(device, exchange));
  const auto program = stream.context().programs().get(
      {"common/element.cl", "common/lanes.cl", "lanes/" + probe + ".cl"}, options);
  std::vector<cl_uint> wrong(static_cast<std::size_t>(lanes) * kProbedSubGroups, 1);
  runtime::Submission submission(stream, {});
  const auto answers = submission.scratch(wrong.size() * sizeof(cl_uint), "a probe");
  submission.launch(
      program->kernel("lanes_" + probe),
      {.groups = {1, 1}, .group = {static_cast<std::size_t>(lanes), kProbedSubGroups}}, answers);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(answers, CL_TRUE, 0, wrong.size() * sizeof(cl_uint), wrong.data(),
                                nullptr, event);
      },
      "reading a probe's answer");
  return std::ranges::all_of(wrong, [](cl_uint count) { return count == 0; });
} catch (const Error& error) {
  runtime::log(fmt::format("lanes/{} with {}: {}", probe, name(exchange), error.what()));
  return false;
}

/// The size nearest to the device's own width.
int probed_size(const std::vector<int>& sizes, unsigned simd_width) {
  return *std::ranges::min_element(
      sizes, {}, [&](int size) { return std::abs(size - static_cast<int>(simd_width)); });
}

std::vector<LaneSupport> find_support(runtime::Stream& stream) {
  const auto& device = stream.context().device();
  std::vector<LaneSupport> found;
  for (const Exchange exchange :
       {Exchange::intel_subgroups, Exchange::khr_subgroups, Exchange::nvidia_ptx}) {
    auto sizes = suggested_sizes(device, exchange);
    if (!sizes.empty() &&
        works(stream, "exchange", exchange, probed_size(sizes, device.info.simd_width))) {
      found.push_back({exchange, std::move(sizes)});
    }
  }
  found.push_back({Exchange::local_memory, suggested_sizes(device, Exchange::local_memory)});
  return found;
}

}  // namespace

std::string_view name(Exchange exchange) {
  constexpr std::array<std::string_view, 4> kNames = {"local memory", "cl_khr_subgroups",
                                                      "cl_intel_subgroups", "NVIDIA PTX"};
  return kNames.at(static_cast<std::size_t>(exchange));
}

const std::vector<LaneSupport>& lane_support(runtime::Stream& stream) {
  auto& findings = stream.context().extension<Findings>();
  const std::lock_guard lock(findings.mutex);
  if (!findings.support) findings.support = find_support(stream);
  return *findings.support;
}

bool has_intel_block_reads(runtime::Stream& stream) {
  const auto& support = lane_support(stream);
  const auto intel = std::ranges::find(support, Exchange::intel_subgroups, &LaneSupport::exchange);
  if (intel == support.end()) return false;
  auto& findings = stream.context().extension<Findings>();
  const std::lock_guard lock(findings.mutex);
  if (!findings.block_reads) {
    const int lanes = probed_size(intel->sizes, stream.context().device().info.simd_width);
    findings.block_reads = works(stream, "block_read", Exchange::intel_subgroups, lanes);
  }
  return *findings.block_reads;
}

std::string lane_options(const runtime::Device& device, Exchange exchange) {
  if (exchange != Exchange::khr_subgroups && exchange != Exchange::intel_subgroups) return {};
  const bool is_cl3 = device.info.version.starts_with("OpenCL 3.");
  return fmt::format(" -cl-std={}{}", is_cl3 ? "CL3.0" : "CL2.0",
                     device.info.sub_group_sizes.empty() ? "" : " -D LANES_PINNED");
}

}  // namespace tessera::inline v0::kernels
