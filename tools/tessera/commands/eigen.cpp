// tessera eigen: the dominant eigenpair of a non-negative matrix.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tessera/eigen.hpp>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/print_json.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "files/matrix_file.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;

struct EigenCommand : CommonOptions {
  std::string a, output, dtype, method = "implicit", stop = "bounds", acceleration = "automatic";
  std::vector<std::string> settings;
  double tolerance = EigenOptions().tolerance;
  double neighbour_tolerance = EigenOptions().neighbour_tolerance;
  std::uint32_t max_rounds = EigenOptions().max_rounds;
  bool history = false, transpose = false;
};

/// What --set OPERATION=VARIANT … says. Throws UsageError.
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
  for (const Value value : values) names.emplace_back(name(value));
  return names;
}

template <std::size_t count, class Value>
Value value_of(const std::array<Value, count>& values, const std::string& wanted) {
  return *std::ranges::find(values, wanted, [](Value value) { return name(value); });
}

EigenOptions options_of(const EigenCommand& command) {
  return {.method = value_of(kMethods, command.method),
          .stop = value_of(kStops, command.stop),
          .tolerance = command.tolerance,
          .neighbour_tolerance = command.neighbour_tolerance,
          .max_rounds = command.max_rounds,
          .transpose = command.transpose,
          .acceleration = value_of(kAccelerations, command.acceleration),
          .history = command.history,
          .kernels = parse_kernels(command.settings)};
}

template <Real T>
Json json_of(const EigenPair<T>& pair, const EigenOptions& options, const Engine& engine,
             double seconds) {
  Json kernels = Json::object(), history = Json::array();
  for (const KernelRun& run : pair.ran) kernels[run.operation()] = run.variant();
  for (const EigenBounds& bounds : pair.history) history.push_back({bounds.lower, bounds.upper});
  Json json = {{"device", engine.device().name},
               {"method", name(options.method)},
               {"stop", name(options.stop)},
               {"transposed", options.transpose},
               {"kernels", std::move(kernels)},
               {"value", pair.value},
               {"lower", pair.lower},
               {"upper", pair.upper},
               {"rounds", pair.rounds},
               {"converged", pair.converged},
               {"reason", name(pair.reason)},
               {"structure",
                {{"kind", name(pair.structure.kind)},
                 {"period", pair.structure.period},
                 {"classes", pair.structure.classes},
                 {"basic_classes", pair.structure.basic_classes}}},
               {"residual", pair.residual},
               {"seconds", seconds}};
  if (options.history) json["history"] = std::move(history);
  return json;
}

std::string described(const EigenStructure& structure) {
  using Kind = EigenStructure::Kind;
  if (structure.kind == Kind::unexamined) return {};
  std::string text = fmt::format("the matrix is {}", name(structure.kind));
  if (structure.kind == Kind::periodic) text += fmt::format(", its period {}", structure.period);
  if (structure.kind == Kind::reducible) {
    text += fmt::format(": irreducible blocks {}, with this eigenvalue {}", structure.classes,
                        structure.basic_classes);
  }
  return text;
}

template <Real T>
void print(const EigenPair<T>& pair, const EigenOptions& options, const Engine& engine,
           double seconds) {
  fmt::print("{} x {}{}, {} on {}\n", pair.vector.rows(), pair.vector.rows(),
             options.transpose ? " transposed" : "", name(element_type_of<T>()),
             one_line(engine.device().name));
  for (std::size_t i = 0; i < pair.history.size(); i++) {
    fmt::print("round {:<6} {:.15g} to {:.15g}\n", i, pair.history[i].lower, pair.history[i].upper);
  }
  fmt::print("eigenvalue proven to be from {:.15g} to {:.15g}\n", pair.lower, pair.upper);
  // The middle of a wide interval is nobody's eigenvalue.
  const bool is_narrow = pair.upper - pair.lower <= 1e3 * options.tolerance * pair.upper;
  if (is_narrow) fmt::print("eigenvalue {:.15g}, the middle\n", pair.value);
  fmt::print("{} after {} {} ({}, {}), residual {:.3g}, {:.4g} ms\n", name(pair.reason),
             pair.rounds, options.stop == StopTest::neighbours ? "rounds" : "iterations",
             name(options.method), name(options.stop), pair.residual, 1e3 * seconds);
  if (const auto text = described(pair.structure); !text.empty()) fmt::print("{}\n", text);
}

template <Real T>
EigenPair<T> solve_with_progress(const Matrix<T>& matrix, EigenOptions options) {
  Progress line;
  options.progress = [&](const EigenProgress& progress) {
    line.say(fmt::format("{}, {} iterations, bounds {:.9g} to {:.9g}", progress.phase,
                         progress.iterations, progress.lower, progress.upper));
  };
  return dominant_eigenpair(matrix, options);
}

template <Real T>
int solve(const EigenCommand& command, const Source& source) {
  const auto a = source.read<T>();
  const EigenOptions options = options_of(command);
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output);
  const Matrix<T> matrix(engine, a.rows, a.columns, a.elements);
  const auto pair = solve_with_progress(matrix, options);
  if (output) output->write(HostMatrix<T>{a.rows, 1, pair.vector.to_host()});
  const double seconds = pair.seconds().value_or(0);
  if (command.json) {
    print_json(json_of(pair, options, engine, seconds));
  } else {
    print(pair, options, engine, seconds);
  }
  return pair.converged ? done : check_failed;
}

int run(const EigenCommand& command) {
  const Source source(command.a);
  const ElementType type =
      command.dtype.empty() ? source.natural_type() : element_type(command.dtype);
  if (type == ElementType::float64) return solve<double>(command, source);
  // Integers and halves of a file are floats, unless the caller insists.
  if (!command.dtype.empty() && type != ElementType::float32)
    throw UsageError(fmt::format("--dtype {}: there is float and double", command.dtype));
  return solve<float>(command, source);
}

}  // namespace

void add_eigen(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "eigen", "Find the largest eigenvalue of a non-negative matrix, and its eigenvector");
  auto options = std::make_shared<EigenCommand>();
  add_common(*command, *options);
  command->add_option("A", options->a, "File or generator")->required();
  command->add_option("-o,--output", options->output, "Write the eigenvector to this .npy file")
      ->check(not_empty());
  command
      ->add_option("--dtype", options->dtype,
                   "float or double (float32 or float64 too); without it A's own type, or float")
      ->check(not_empty());
  command->add_option("--method", options->method, "implicit, fused or explicit")
      ->check(CLI::IsMember(names_of(kMethods)));
  command->add_option("--stop", options->stop, "bounds or neighbours")
      ->check(CLI::IsMember(names_of(kStops)));
  command->add_option("--tolerance", options->tolerance,
                      "Relative width of the bounds at which to stop");
  command->add_option("--neighbour-tolerance", options->neighbour_tolerance,
                      "Absolute difference of neighbouring row sums at which to stop");
  command->add_option("--max-rounds,--max-iterations", options->max_rounds,
                      "Maximum number of iterations; the documents' rounds");
  command->add_option("--set", options->settings, "A variant of an operation: row_sum=subgroup")
      ->take_all()
      ->expected(1);
  command
      ->add_option("--acceleration", options->acceleration,
                   "krylov: restarts, for small gaps; automatic: where rounds are slow; or none")
      ->check(CLI::IsMember(names_of(kAccelerations)));
  command->add_flag("--transpose", options->transpose,
                    "Solve A transposed: the vector is a left eigenvector of A");
  command->add_flag("--history", options->history, "Print the bounds of every round");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
