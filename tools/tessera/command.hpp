// What the subcommands share: options that all take, and how they end.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <tessera/tessera.hpp>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace tessera::tool {

/// Exit statuses; CLI11's own errors become bad_usage.
enum Status {
  done = 0,
  check_failed = 1 /* or not converged */,
  bad_usage = 2,
  no_device = 3,
  opencl_failed = 4
};

/// Bad usage or bad input: one line for standard error.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CommonOptions {
  std::string device;
  bool json = false;
};

/// An option's text must have some.
CLI::Validator not_empty();
/// --device and --json.
void add_common(CLI::App& command, CommonOptions& options);

/// The type that --dtype names. Throws UsageError.
ElementType element_type(const std::string& name);
/// The names that --dtype takes.
std::vector<std::string> element_type_names();

/// Calls `function` with a value of the C++ type.
template <class Function>
auto with_type(ElementType type, Function&& function) {
  switch (type) {
    case ElementType::float64: return function(double());
    case ElementType::int32: return function(std::int32_t());
    case ElementType::float16: return function(half());
    case ElementType::float32: break;
  }
  return function(float());
}

/// The other way: the name of the C++ type.
template <Element T>
constexpr ElementType element_type_of() {
  if constexpr (std::same_as<T, double>) return ElementType::float64;
  if constexpr (std::same_as<T, std::int32_t>) return ElementType::int32;
  if constexpr (std::same_as<T, half>) return ElementType::float16;
  return ElementType::float32;
}

/// What --set NAME=INTEGER … says. Throws UsageError.
Parameters parse_settings(const std::vector<std::string>& settings);

/// "TILE=16 …"; "-" where there are none.
std::string text_of(const Parameters& parameters);

// The subcommands. Each adds itself, and sets `status` when it has run.
void add_devices(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_multiply(CLI::App& app, int& status);
void add_eigen(CLI::App& app, int& status);
void add_tune(CLI::App& app, int& status);
void add_profile(CLI::App& app, int& status);

}  // namespace tessera::tool
