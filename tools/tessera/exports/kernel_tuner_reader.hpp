// Kernel Tuner reader: a tuning out of the cache file that Tessera wrote of it.
#pragma once

#include <string>
#include <tessera/tune.hpp>
#include <vector>

namespace tessera::tool {

/// Contents of such a file: enough to search again without the device.
struct Recording {
  Problem problem;
  DeviceInfo device;
  std::vector<Trial> trials;
  KernelChoice default_kernel = {};  ///< empty where the file does not tell, or not its trial
};

/// Reads `content` of the file `name`; if it was cut off, the part that is there. Throws UsageError
/// if it is not a cache that Tessera wrote.
Recording read_kernel_tuner_cache(const std::string& content, const std::string& name);

}  // namespace tessera::tool
