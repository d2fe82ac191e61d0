// Kernel Tuner reader: a tuning out of the cache file that Tessera wrote of it.
#pragma once

#include <string>
#include <tessera/tune.hpp>
#include <vector>

namespace tessera::tool {

/// What such a file tells: enough to search again without the device.
struct Recording {
  Problem problem;
  DeviceInfo device;
  std::vector<Trial> trials;
  KernelChoice default_kernel = {};  ///< empty where the file does not tell, or not its trial
};

/// `content` of the file `name`; of one that was cut off, what it has. Throws UsageError for what
/// is no cache, or none of Tessera's.
Recording read_kernel_tuner_cache(const std::string& content, const std::string& name);

}  // namespace tessera::tool
