// tessera eigen: the dominant eigenpair of a non-negative matrix.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <tessera/eigen.hpp>
#include <utility>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/device_memory.hpp"
#include "commands/eigen_report.hpp"
#include "commands/interval.hpp"
#include "commands/operand_types.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "files/input.hpp"
#include "files/matrix_file.hpp"
#include "files/matrix_output.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct EigenCommand : CommonOptions {
  std::string a, output, dtype, method = "implicit", stop = "bounds", acceleration = "automatic";
  std::vector<std::string> settings;
  double tolerance = EigenOptions().tolerance;
  double neighbour_tolerance = EigenOptions().neighbour_tolerance;
  std::uint32_t max_rounds = EigenOptions().max_rounds;
  bool history = false, transpose = false;
};

/// Parses --set OPERATION=VARIANT …. Throws UsageError.
std::map<std::string, KernelChoice> parse_kernels(const std::vector<std::string>& settings) {
  std::map<std::string, KernelChoice> kernels;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size())
      throw UsageError(fmt::format("--set {}: is not of the form OPERATION=VARIANT", setting));
    kernels[setting.substr(0, equals)].variant = setting.substr(equals + 1);
  }
  return kernels;
}

constexpr std::array kMethods = {EigenMethod::implicit, EigenMethod::fused,
                                 EigenMethod::explicit_steps};
constexpr std::array kStops = {StopTest::bounds, StopTest::neighbours};
constexpr std::array kAccelerations = {Acceleration::automatic, Acceleration::none,
                                       Acceleration::krylov};

/// The names that an option takes are those that are printed.
template <std::size_t count, class Value>
std::vector<std::string> names_of(const std::array<Value, count>& values) {
  std::vector<std::string> names;
  for (const Value value : values) names.emplace_back(to_string(value));
  return names;
}

template <std::size_t count, class Value>
Value value_of(const std::array<Value, count>& values, const std::string& wanted) {
  return *std::ranges::find(values, wanted, [](Value value) { return to_string(value); });
}

EigenOptions options_of(const EigenCommand& command) {
  return {.method = value_of(kMethods, command.method),
          .stop = value_of(kStops, command.stop),
          .tolerance = command.tolerance,
          .neighbour_tolerance = command.neighbour_tolerance,
          .max_rounds = command.max_rounds,
          .acceleration = value_of(kAccelerations, command.acceleration),
          .history = command.history,
          .kernels = parse_kernels(command.settings)};
}

EigenSolution solve_with_progress(const detail::Operand& matrix, EigenOptions options) {
  Progress line;
  options.progress = [&](const EigenProgress& progress) {
    line.say(fmt::format("{}, {} iterations, bounds {:.9g} to {:.9g}", progress.phase,
                         progress.iterations, progress.lower, progress.upper));
  };
  return solve(matrix, options);
}

/// Throws UsageError, which names the place, if an element is negative or not finite.
void check_elements(const AnyMatrix& a, const std::string& name) {
  const std::size_t count = a.shape.count(), columns = a.shape.columns;
  for (std::size_t i = 0; i < count; i++) {
    const double element = a[i];
    if (element >= 0 && std::isfinite(element)) continue;
    throw UsageError(fmt::format("{}: {} is negative or not finite, which eigen does not accept",
                                 place_in(name, i / columns, i % columns),
                                 text_of_element(a.type, element)));
  }
}

/// The solve's tolerance: what the rounding of the elements leaves of the interval's.
EigenOptions options_for(const EigenCommand& command, double rounding) {
  EigenOptions options = options_of(command);
  const double rest = options.tolerance - widening(rounding);
  if (rest > 0) options.tolerance = rest;
  return options;
}

int run(const EigenCommand& command, Source source, ElementType type, const Engine& engine) {
  const Shape shape = source.shape();
  const double bytes = static_cast<double>(shape.rows) * static_cast<double>(shape.columns) *
                       static_cast<double>(element_size(type));
  require_host_memory(source.name(), source.held(type) + source.needed_to_read(type), bytes,
                      engine);
  const detail::Operand matrix =
      device_matrix(engine, source.name(), type, shape.rows, shape.columns);
  const AnyMatrix a = std::move(source).read(type);
  check_elements(a, source.name());
  const EigenOptions options = options_for(command, a.rounding);
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output, type);
  upload(matrix, a);
  const EigenSolution solution =
      solve_with_progress(detail::viewed(matrix, op_if(command.transpose)), options);
  if (output) output->write(solution.vector);
  const EigenReport report(solution, a.rounding, options, command.tolerance);
  if (command.json) {
    print_json(report.json());
  } else {
    report.print(command.output == kStandardStream ? stderr : stdout, !output);
  }
  return report.converged() ? done : check_failed;
}

int run(const EigenCommand& command) {
  if (command.output == kStandardStream && command.json)
    throw UsageError("-o -: standard output has the vector, so it cannot have --json's document");
  Source source(command.a);
  const auto [rows, columns, stack] = source.shape();
  if (stack != 0)
    throw UsageError(
        fmt::format("{}: is a stack of {} matrices, eigen solves one", source.name(), stack));
  if (rows != columns || rows == 0) {
    throw UsageError(fmt::format("{}: is {} x {}, eigen needs a square matrix that is not empty",
                                 source.name(), rows, columns));
  }
  const auto wanted = requested_types(command.dtype, "").operands;
  if (wanted && wanted != ElementType::float32 && wanted != ElementType::float64) {
    throw UsageError(
        fmt::format("--dtype: expected float or double, got {}", in_quotes(command.dtype)));
  }
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  const ElementType type = wanted ? *wanted : eigen_type(source, engine.device());
  return run(command, std::move(source), type, engine);
}

}  // namespace

void add_eigen(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "eigen", "Find the largest eigenvalue of a non-negative matrix, and its eigenvector");
  auto options = std::make_shared<EigenCommand>();
  add_common(*command, *options);
  command->add_option("A", options->a, "File, generator or -")->required();
  command
      ->add_option(
          "-o,--output", options->output,
          "Write the eigenvector to this .npy, .csv or .mtx file; -: to standard output as CSV")
      ->check(not_empty());
  command
      ->add_option(
          "--dtype", options->dtype,
          "float or double (float32 or float64 too). Default: double; float for .npy files "
          "of float or of 16 bits, and on devices without double")
      ->check(not_empty());
  command->add_option("--method", options->method, "implicit, fused or explicit")
      ->check(CLI::IsMember(names_of(kMethods)))
      ->capture_default_str();
  command->add_option("--stop", options->stop, "bounds or neighbours")
      ->check(CLI::IsMember(names_of(kStops)))
      ->capture_default_str();
  command
      ->add_option("--tolerance", options->tolerance,
                   "Relative width of the bounds at which to stop")
      ->capture_default_str();
  command
      ->add_option("--neighbour-tolerance", options->neighbour_tolerance,
                   "Absolute difference of neighbouring row sums at which to stop")
      ->capture_default_str();
  command
      ->add_option("--max-rounds,--max-iterations", options->max_rounds,
                   "Maximum number of iterations; each is a round of similarity transformation")
      ->capture_default_str();
  command->add_option("--set", options->settings, "A variant of an operation: row_sum=subgroup")
      ->take_all()
      ->expected(1);
  command
      ->add_option("--acceleration", options->acceleration,
                   "krylov: restarts, for small gaps; automatic: where rounds are slow; or none")
      ->check(CLI::IsMember(names_of(kAccelerations)))
      ->capture_default_str();
  command->add_flag("--transpose", options->transpose,
                    "Solve A transposed: the vector is a left eigenvector of A");
  command->add_flag("--history", options->history, "Print the bounds of every round");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
