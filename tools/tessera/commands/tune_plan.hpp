// Tune plan: which problems a tuning is for, and how long each may take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/tune.hpp>

namespace tessera::tool {

/// One problem, and its share of the time.
struct PlannedProblem {
  Problem problem;
  double weight;
};

/// The requests of the command line; open choices are made for the device.
struct TuneRequest {
  std::string operation, dtype, out_dtype;
  std::vector<std::string> sizes;
  bool transpose_a = false, transpose_b = false;
  unsigned batch = 1;
};

/// Plans a tuning. Without an operation, it is multiply and the rounds of the eigenpair, in float
/// and, if available, double. Without a size, the default kernel takes some milliseconds. Throws
/// UsageError.
std::vector<PlannedProblem> plan_tuning(const Engine& engine, const TuneRequest& request);

/// "90", "90s", "2m" or "1.5m" in seconds. Throws UsageError.
double duration(const std::string& text);

}  // namespace tessera::tool
