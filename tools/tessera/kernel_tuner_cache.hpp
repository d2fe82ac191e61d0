// Kernel Tuner cache: attempts in the file that Kernel Tuner and its tools read, there and back.
#pragma once

#include <string>
#include <tessera/tune.hpp>
#include <vector>

namespace tessera::tool {

/// One entry, an attempt, a line. Times have six digits that count. What Kernel Tuner has no place
/// for, outcomes and their reasons among it, is in fields that it skips. The same result gives the
/// same bytes.
std::string kernel_tuner_cache(const TuneResult& result);

/// What such a file tells: enough to search again without the device.
struct Recording {
  TuneProblem problem;
  DeviceInfo device;
  std::vector<Trial> trials;
};

/// `content` of the file `name`; one that was cut off tells what it has. Throws UsageError for
/// what is no cache, or none of Tessera's.
Recording read_kernel_tuner_cache(const std::string& content, const std::string& name);

}  // namespace tessera::tool
