// tessera multiply: a product of two matrices.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/every_kernel.hpp"
#include "commands/operand_types.hpp"
#include "commands/operands.hpp"
#include "commands/print_json.hpp"
#include "commands/product.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "files/input.hpp"
#include "files/matrix_output.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

template <Element T>
void print_elements(const HostMatrix<T>& matrix) {
  constexpr std::size_t kMax = 12;
  if (matrix.rows > kMax || matrix.columns > kMax) return;
  for (std::size_t i = 0; i < matrix.rows; i++) {
    for (std::size_t j = 0; j < matrix.columns; j++) {
      const T element = matrix.elements[i * matrix.columns + j];
      if constexpr (std::integral<T>) {
        fmt::print("{:>13}", element);
      } else {
        fmt::print("{:>13.6g}", widened(element));
      }
    }
    fmt::print("\n");
  }
}

/// "a.csv and hilbert:3": the operands whose rounding is larger than a double's.
template <Element T>
std::string rounded_names(const Operands<T>& operands, const MultiplyCommand& command) {
  std::vector<std::string> names;
  const auto add = [&](double rounding, const std::string& name) {
    if (rounding > kUnitRoundoff<double>) names.push_back(name);
  };
  add(operands.a.rounding, command.a);
  add(operands.b.rounding, command.b);
  add(operands.c0.rounding, command.c0);
  return fmt::format("{}", fmt::join(names, " and "));
}

template <Element T>
void print(std::FILE* out, const Measurement& result, const Operands<T>& operands,
           const MultiplyCommand& command) {
  const Engine engine = operands.a_device.engine();
  const auto type = name(element_type_of<T>());
  fmt::print(out, "{}, {} on {}\n", text_of_sizes(operands), type, one_line(engine.device().name));
  if (const auto names = rounded_names(operands, command); !names.empty())
    fmt::print(out, "elements of {} are rounded to {}\n", one_line(names), type);
  fmt::print(out, "kernel {} {} ({})\n", result.ran.variant(), text_of(result.ran.parameters()),
             one_line(result.ran.reason()));
  fmt::print(out, "{}, {:.4g} GFLOP/s\n", text_of(result.seconds),
             gflops(operands.products(), result.seconds.median));
  if (!result.verification) return;
  const Verification& verification = *result.verification;
  fmt::print(out, "largest error {:.3g}, {:.3g} of its bound, {} of {} elements checked\n",
             verification.max_error, verification.worst, verification.elements,
             operands.batch * operands.rows * operands.columns);
  if (verification.unbounded > 0) {
    fmt::print(out, "{} elements have no bound: their sums may overflow\n", verification.unbounded);
  }
  if (verification.wrapped > 0) {
    const bool is_one = verification.wrapped == 1;
    fmt::print(out, "{} sum{} int32, modulo 2^32 here: --dtype double is exact up to 2^53\n",
               verification.wrapped, is_one ? " leaves" : "s leave");
  }
}

template <Element T>
int run_one(const Operands<T>& operands, const MultiplyCommand& command) {
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output);
  const auto options = options_of<T>(command);
  auto c = output_of(operands);
  Measurement result = measure(operands, c, options, command.repeat);
  const HostMatrix<ProductElement<T>> product{c.rows(), c.columns(), c.to_host(),
                                              operands.is_stack ? operands.batch : 0};
  if (command.verify) verify(operands, product.elements, options, result);
  if (output) output->write(product);
  if (command.json) {
    print_json(json_of(result, operands, command));
  } else {
    print(command.output == kStandardStream ? stderr : stdout, result, operands, command);
    if (!output) print_elements(product);
  }
  return result.passed() ? done : check_failed;
}

/// Standard input can be read once, and standard output has one document.
void check_streams(const MultiplyCommand& command) {
  const auto inputs = {command.a, command.b, command.c0};
  if (std::ranges::count(inputs, std::string(kStandardStream)) > 1)
    throw UsageError("-: standard input can be only one of the matrices");
  if (command.output == kStandardStream && command.json)
    throw UsageError("-o -: standard output has the product, so it cannot have --json's document");
}

int run(const MultiplyCommand& command) {
  if (command.beta != 0 && command.c0.empty())
    throw UsageError("--beta needs --c, the matrix that it is a factor of");
  if (command.beta == 0 && !command.c0.empty())
    throw UsageError("--c needs --beta, its factor, which is 0");
  if (command.every_kernel &&
      !(command.kernel.empty() && command.settings.empty() && command.output.empty())) {
    throw UsageError("--every-kernel goes with none of --kernel, --set and -o");
  }
  check_streams(command);
  ProductSources sources{Source(command.a), Source(command.b), {}};
  if (command.beta != 0) sources.c0.emplace(command.c0);
  const ProductShape shape = shape_of(command, sources);
  ElementType type = ElementType::float32;
  if (!command.dtype.empty()) type = element_type(command.dtype);
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  if (command.dtype.empty()) type = product_type(sources.a, sources.b, engine.device());
  return with_type(type, [&](auto zero) {
    const auto operands = load<decltype(zero)>(command, sources, shape, engine);
    return command.every_kernel ? run_every_kernel(operands, command) : run_one(operands, command);
  });
}

/// The operands, what is computed of them, and where it goes.
void add_operands(CLI::App& command, MultiplyCommand& options) {
  command.add_option("A", options.a, "File, generator or -")->required();
  command.add_option("B", options.b, "File, generator or -")->required();
  command
      .add_option("-o,--output", options.output,
                  "Write the product to this .npy, .csv or .mtx file; -: to standard output as CSV")
      ->check(not_empty());
  command
      .add_option("--dtype", options.dtype,
                  "float, double, half, int32 or int8, whose products are int32 (float32, float64, "
                  "float16 too). Default: as NumPy multiplies A's and B's types; text is double; "
                  "integers are int32, int8 times int8 int8; generators have the other's type, two "
                  "are float; float for double on devices without double")
      ->check(not_empty());
  command.add_flag("--transpose-a", options.transpose_a, "op(A) is A's transpose");
  command.add_flag("--transpose-b", options.transpose_b, "op(B) is B's transpose");
  command
      .add_option(
          "--batch", options.batch,
          "Number of products: A, B and C0 have as many blocks of rows, one below the other. "
          "Default: the size of a stack, an .npy file of three dimensions; a matrix beside it is "
          "used for each")
      ->check(CLI::Range(1u, 1000000u));
  command.add_option("--alpha", options.alpha, "Factor of the product")->capture_default_str();
  command.add_option("--beta", options.beta, "Factor of C0")->capture_default_str();
  command.add_option("--c", options.c0, "C0: file, generator or -")->check(not_empty());
}

/// Adds the options about the kernel.
void add_kernel_options(CLI::App& command, MultiplyCommand& options) {
  command.add_option("--kernel", options.kernel, "The variant to run (tessera devices lists them)")
      ->check(not_empty());
  command.add_option("--set", options.settings, "A parameter of the variant: TILE=16")
      ->take_all()
      ->expected(1);
  command.add_option("--accuracy", options.accuracy, "ieee or bounded")
      ->check(CLI::IsMember({"ieee", "bounded"}))
      ->capture_default_str();
  command
      .add_option("--repeat", options.repeat,
                  "Number of timed runs; prints the median, the fastest and the slowest")
      ->check(CLI::Range(1u, 100000u))
      ->capture_default_str();
  command.add_flag("--verify", options.verify,
                   "Check the product on the host; fails for integers outside of int32 too");
  command.add_flag("--every-kernel", options.every_kernel, "Run, time and check every variant");
}

}  // namespace

void add_multiply(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "multiply", "Multiply two matrices: C = alpha * op(A) * op(B) + beta * C0");
  auto options = std::make_shared<MultiplyCommand>();
  add_common(*command, *options);
  add_operands(*command, *options);
  add_kernel_options(*command, *options);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tool
