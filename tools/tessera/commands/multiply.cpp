// tessera multiply: a product of two matrices.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <concepts>
#include <memory>
#include <optional>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/every_kernel.hpp"
#include "commands/print_json.hpp"
#include "commands/product.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "files/matrix_file.hpp"
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
        fmt::print("{:>13.6g}", static_cast<double>(static_cast<Scalar<T>>(element)));
      }
    }
    fmt::print("\n");
  }
}

template <Element T>
int run_one(const Operands<T>& operands, const MultiplyCommand& command) {
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output);
  const auto options = options_of<T>(command);
  auto c = output_of(operands);
  Measurement result = measure(operands, c, options, command.repeat);
  const HostMatrix<ProductElement<T>> product{c.rows(), c.columns(), c.to_host()};
  if (command.verify) verify(operands, product.elements, options, result);
  if (output) output->write(product);

  if (command.json) {
    print_json(json_of(result, operands, command));
  } else {
    fmt::print("{}, {} on {}\n", text_of_sizes(operands), name(element_type_of<T>()),
               one_line(c.engine().device().name));
    fmt::print("kernel {} {} ({})\n", result.ran.variant(), text_of(result.ran.parameters()),
               one_line(result.ran.reason()));
    fmt::print("{}, {:.4g} GFLOP/s\n", text_of(result.seconds),
               gflops(operands.products(), result.seconds.median));
    if (const auto& verification = result.verification) {
      fmt::print("largest error {:.3g}, {:.3g} of its bound, {} of {} rows checked\n",
                 verification->max_error, verification->worst, result.rows_verified, c.rows());
      if (verification->unbounded > 0)
        fmt::print("{} elements have no bound: their sums may overflow\n", verification->unbounded);
    }
    if (!output) print_elements(product);
  }
  return result.verification && !result.verification->passed() ? check_failed : done;
}

/// Reads and uploads. What does not fit together is found before a device is opened.
template <Element T>
Operands<T> load(const MultiplyCommand& command, const Source& a_source, const Source& b_source) {
  auto a = a_source.read<T>();
  auto b = b_source.read<T>();
  const std::size_t batch = command.batch;
  const auto rows_of = [batch](const std::string& name, const HostMatrix<T>& matrix) {
    if (matrix.rows % batch != 0)
      throw UsageError(
          fmt::format("{} has {} rows, which are not {} equal blocks", name, matrix.rows, batch));
    return matrix.rows / batch;
  };
  const std::size_t a_rows = rows_of(command.a, a), b_rows = rows_of(command.b, b);
  const std::size_t rows = command.transpose_a ? a.columns : a_rows,
                    a_inner = command.transpose_a ? a_rows : a.columns;
  const std::size_t columns = command.transpose_b ? b_rows : b.columns,
                    b_inner = command.transpose_b ? b.columns : b_rows;
  if (a_inner != b_inner) {
    throw UsageError(fmt::format(
        "{} is {} x {}{} and {} is {} x {}{}: the inner dimensions {} and {} differ", command.a,
        a_rows, a.columns, command.transpose_a ? " transposed" : "", command.b, b_rows, b.columns,
        command.transpose_b ? " transposed" : "", a_inner, b_inner));
  }
  HostMatrix<ProductElement<T>> c0;
  if (command.beta != 0) {
    c0 = Source(command.c0).read<ProductElement<T>>();
    if (c0.rows != batch * rows || c0.columns != columns) {
      throw UsageError(fmt::format("{} is {} x {}, the product is {} x {}", command.c0, c0.rows,
                                   c0.columns, batch * rows, columns));
    }
  }
  const Engine engine(EngineOptions{.device = command.device, .profiling = true});
  Matrix<T> a_device(engine, a.rows, a.columns, a.elements),
      b_device(engine, b.rows, b.columns, b.elements);
  return {std::move(a), std::move(b), std::move(c0), std::move(a_device), std::move(b_device), rows,
          columns,      a_inner,      batch};
}

/// A's own type; int32 for int8 beside wider integers, which would not fit.
ElementType type_of(const Source& a, const Source& b) {
  const ElementType own = a.natural_type();
  const bool is_wider = own == ElementType::int8 && b.natural_type() == ElementType::int32;
  return is_wider ? ElementType::int32 : own;
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
  const Source a(command.a), b(command.b);
  const ElementType type = command.dtype.empty() ? type_of(a, b) : element_type(command.dtype);
  return with_type(type, [&](auto zero) {
    const auto operands = load<decltype(zero)>(command, a, b);
    return command.every_kernel ? run_every_kernel(operands, command) : run_one(operands, command);
  });
}

/// The operands, what is computed of them, and where it goes.
void add_operands(CLI::App& command, MultiplyCommand& options) {
  command.add_option("A", options.a, "File or generator")->required();
  command.add_option("B", options.b, "File or generator")->required();
  command.add_option("-o,--output", options.output, "Write the product to this .npy file")
      ->check(not_empty());
  command
      .add_option(
          "--dtype", options.dtype,
          "float, double, half, int32 or int8, whose products are int32 (float32, float64, float16 "
          "too); without it A's own type (int32 for int8 beside int32), or float")
      ->check(not_empty());
  command.add_flag("--transpose-a", options.transpose_a, "op(A) is A's transpose");
  command.add_flag("--transpose-b", options.transpose_b, "op(B) is B's transpose");
  command
      .add_option(
          "--batch", options.batch,
          "Number of products: A, B and C0 have as many blocks of rows, one below the other")
      ->check(CLI::Range(1u, 1000000u));
  command.add_option("--alpha", options.alpha, "Factor of the product");
  command.add_option("--beta", options.beta, "Factor of C0");
  command.add_option("--c", options.c0, "C0: file or generator")->check(not_empty());
}

/// The kernel, and what is told of it.
void add_kernel_options(CLI::App& command, MultiplyCommand& options) {
  command.add_option("--kernel", options.kernel, "The variant to run (tessera devices lists them)")
      ->check(not_empty());
  command.add_option("--set", options.settings, "A parameter of the variant: TILE=16")
      ->take_all()
      ->expected(1);
  command.add_option("--accuracy", options.accuracy, "ieee or bounded")
      ->check(CLI::IsMember({"ieee", "bounded"}));
  command
      .add_option("--repeat", options.repeat,
                  "Number of timed runs; prints the median, the fastest and the slowest")
      ->check(CLI::Range(1u, 100000u));
  command.add_flag("--verify", options.verify, "Check the product on the host");
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
