// Common parts of the subcommands: options that all have, and exit statuses.
#pragma once

#include <string>
#include <vector>

#include <tessera/kernel.hpp>

#include "usage_error.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace tessera::tool {

/// Exit statuses; CLI11's own errors become bad_usage.
enum Status {
  done = 0,
  check_failed = 1 /* or not converged, or a tuning had no finals */,
  bad_usage = 2,
  no_device = 3,
  opencl_failed = 4 /* or memory ran out */
};

struct CommonOptions {
  std::string device;
  bool json = false;
};

/// An option's text must have some.
CLI::Validator not_empty();
/// Help about the names of matrices.
std::string matrix_help();
/// --device and --json.
void add_common(CLI::App& command, CommonOptions& options);

/// Parses --set NAME=INTEGER …. Throws UsageError.
Parameters parse_settings(const std::vector<std::string>& settings);

}  // namespace tessera::tool
