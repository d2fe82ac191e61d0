// An OpenCL device with its description, and the choice of one by a selector.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "runtime/names.hpp"
#include "runtime/opencl.hpp"
#include "tessera/device.hpp"

namespace tessera::inline v0::runtime {

template <>
struct Names<DeviceType> {
  static constexpr std::array<std::string_view, 4> kAll = {"cpu", "gpu", "accelerator", "other"};
};

struct Device {
  cl::Device handle;
  DeviceInfo info;
  bool shares_host_memory = false;  ///< mapping a buffer copies nothing
};

/// Queries everything in DeviceInfo except `selector`: the caller knows where the device is listed.
/// Throws cl::Error.
Device describe(const cl::Device& device, std::string selector);

/// False if this code of clGetDeviceInfo means that the device does not support the query. Throws
/// cl::Error for other failures.
inline bool knows(cl_int code) {
  if (code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY)
    throw cl::Error(code, "clGetDeviceInfo");
  return code == CL_SUCCESS;
}

/// The query's value, or `otherwise` if the device does not support it. Throws cl::Error for other
/// failures.
template <class T>
T query(const cl::Device& device, cl_device_info question, T otherwise) {
  T answer{};
  return knows(clGetDeviceInfo(device(), question, sizeof answer, &answer, nullptr)) ? answer
                                                                                     : otherwise;
}

bool is_pocl(const DeviceInfo& device);

/// Returns whether the runtime keeps compiled programs on disk. PoCL does, and loads one in about
/// 20 ms. If PoCL is asked for a binary, it compiles every kernel again, for work-groups of any
/// size: the first use takes twice as long, and a tuner tries half as many kernels.
bool keeps_programs(const DeviceInfo& device);

/// Returns whether commands run in the thread that enqueues or flushes them. They do on PoCL's
/// device "basic". There, setting a user event that a command waits for never returns, at least in
/// PoCL 3.1: the thread runs the command at once, and locks the event's own lock again.
bool runs_in_caller(const DeviceInfo& device);

/// Returns whether launches are slow for a while after a command waited for a user event. NVIDIA's
/// driver then keeps a thread busy: for a tenth of a second, a launch takes 21 us instead of 15.
bool user_events_linger(const DeviceInfo& device);

/// Returns whether polling an event before clWaitForEvents saves time. It does not on NVIDIA's
/// devices, because their clWaitForEvents polls, nor with Intel's runtime for CPUs: it makes the
/// thread that waits one of the device's threads. Without polling, a product of 256 x 256 x 256 on
/// two cores takes 75 us instead of 140 us.
bool waits_awake(const DeviceInfo& device);

/// Returns whether a command that fails makes all later ones of its context fail. Then an event of
/// the last of several commands reports the failure of any. NVIDIA's devices do so, and need 2 us
/// for each event of a kernel.
bool fails_as_a_whole(const DeviceInfo& device);

/// All devices of all platforms; empty if there is no platform.
std::vector<Device> list_devices();

/// The device that `selector` names (engine.hpp), the fastest if several match. Throws DeviceError.
Device select_device(std::string_view selector);

}  // namespace tessera::inline v0::runtime
