// tessera multiply: a product of two matrices.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/device_memory.hpp"
#include "commands/every_kernel.hpp"
#include "commands/host_product.hpp"
#include "commands/operand_types.hpp"
#include "commands/operands.hpp"
#include "commands/print_json.hpp"
#include "commands/product.hpp"
#include "commands/product_output.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "files/input.hpp"
#include "files/matrix_output.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

void print(std::FILE* out, const Measurement& result, const Operands& operands,
           const MultiplyCommand& command) {
  fmt::print(out, "{}, {} on {}\n", text_of_sizes(operands), to_string(operands.types),
             one_line(operands.engine.device().name));
  print_rounded(out, operands, command);
  fmt::print(out, "kernel {} {} ({})\n", result.ran.variant(), text_of(result.ran.parameters()),
             one_line(result.ran.reason()));
  fmt::print(out, "{}, {:.4g} GFLOP/s\n", text_of(result.seconds),
             gflops(operands, result.seconds.median));
  print_verification(out, result.verification, operands);
}

int run_one(const Operands& operands, const MultiplyCommand& command) {
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output, operands.types.c);
  const MultiplyOptions options = options_of(command, operands.types);
  const detail::Operand c = output_of(operands);
  Measurement result = measure(operands, command, options, c);
  const AnyMatrix product = to_host(c, operands.is_stack ? operands.batch : 0);
  if (command.verify) result.verification = verify(operands, command, options, product);
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
  const TypeRequest request = requested_types(command.dtype, command.out_dtype);
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  const ProductTypes types = product_types(
      request.operands ? *request.operands : operand_type(sources.a, sources.b, engine.device()),
      request.result);
  const Operands operands = load(command, std::move(sources), shape, types, engine);
  if (operands.on_host) return run_on_host(operands, command);
  return command.every_kernel ? run_every_kernel(operands, command) : run_one(operands, command);
}

/// Adds an option whose value is a real or complex number.
void add_factor(CLI::App& command, const std::string& name, Scalar& factor,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [name, &factor](const std::string& text) { factor = scalar_of(name, text); }, help)
      ->type_name("NUMBER")
      ->default_str(to_string(factor));
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
                  "Element type of A and B: " + dtype_help() +
                      ". Default: as NumPy multiplies the types of A and B, and integers as int32, "
                      "but int8 times int8 as int8; text is double; a generator has the type of "
                      "the other operand, two generators are float; devices without double use "
                      "float")
      ->check(not_empty());
  command.add_option("--out-dtype", options.out_dtype, out_dtype_help())->check(not_empty());
  auto* const transpose_a =
      command.add_flag("--transpose-a", options.transpose_a, "op(A) is A's transpose");
  auto* const transpose_b =
      command.add_flag("--transpose-b", options.transpose_b, "op(B) is B's transpose");
  command.add_flag("--adjoint-a", options.adjoint_a, "op(A) is A's conjugate transpose")
      ->excludes(transpose_a);
  command.add_flag("--adjoint-b", options.adjoint_b, "op(B) is B's conjugate transpose")
      ->excludes(transpose_b);
  command
      .add_option(
          "--batch", options.batch,
          "Number of products: A, B and C0 have as many blocks of rows, one below the other. "
          "Default: the size of a stack, an .npy file of three dimensions; a matrix beside it is "
          "used for each")
      ->check(CLI::Range(1u, 1000000u));
  add_factor(command, "--alpha", options.alpha,
             "Factor of the product; of complex products also 1.5-2i");
  add_factor(command, "--beta", options.beta, "Factor of C0");
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
  command.add_flag("--host", options.host,
                   "Compute from host memory, by all GPUs or the device of --device; the default "
                   "for operands that do not fit on the device");
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
