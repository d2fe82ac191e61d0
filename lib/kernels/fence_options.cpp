// Fences by PTX on NVIDIA's devices, elsewhere by the newest OpenCL C.
#include "kernels/fence_options.hpp"

namespace tessera::inline v0::kernels {

std::string fence_options(const DeviceCapabilities& device) {
  // Asynchronous copies mean Ampere or newer.
  if (device.find(LaneExchange::nvidia_ptx) != nullptr)
    return device.async_copy_memory > 0 ? " -D DEVICE_FENCE=2" : " -D DEVICE_FENCE=1";
  const char* const standard = device.version.starts_with("OpenCL 3.")   ? " -cl-std=CL3.0"
                               : device.version.starts_with("OpenCL 2.") ? " -cl-std=CL2.0"
                                                                         : "";
  return std::string(" -D DEVICE_FENCE=0") + standard;
}

}  // namespace tessera::inline v0::kernels
