// tessera multiply --every-kernel: the variants beside plain loops on the host.
#include "commands/every_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <concepts>
#include <optional>
#include <string>
#include <tessera/error.hpp>
#include <type_traits>

#include "commands/command.hpp"
#include "commands/device_memory.hpp"
#include "commands/print_json.hpp"
#include "commands/product.hpp"
#include "element_types.hpp"
#include "figures.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

/// True for types of numbers that are also computed with.
template <class T>
constexpr bool kIsWhole = std::same_as<T, double> || is_complex(kElementType<T>);

/// Seconds of three plain loops on the host over the first `rows` rows of one product.
template <Element T>
double loop_seconds(const Operands& operands, const MultiplyCommand& command, std::size_t rows) {
  using Factor =
      std::conditional_t<std::integral<T>, std::int32_t, std::conditional_t<kIsWhole<T>, T, float>>;
  // Unsigned, so that sums of integers wrap around.
  using Number = std::conditional_t<std::integral<T>, std::uint32_t, Factor>;
  const auto* const a = reinterpret_cast<const T*>(operands.a.elements.data());
  const auto* const b = reinterpret_cast<const T*>(operands.b.elements.data());
  const std::size_t columns = operands.columns, k = operands.k;
  const std::size_t a_row = is_transposed(command.op_a()) ? 1 : k,
                    a_column = is_transposed(command.op_a()) ? operands.rows : 1;
  const std::size_t b_row = is_transposed(command.op_b()) ? 1 : columns,
                    b_column = is_transposed(command.op_b()) ? k : 1;
  [[maybe_unused]] volatile double kept = 0;  // so that the loops are not left out
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < rows; i++) {
    for (std::size_t j = 0; j < columns; j++) {
      Number sum{};
      for (std::size_t p = 0; p < k; p++) {
        sum += static_cast<Number>(static_cast<Factor>(a[i * a_row + p * a_column])) *
               static_cast<Number>(static_cast<Factor>(b[p * b_row + j * b_column]));
      }
      kept = static_cast<double>(std::real(sum));
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of plain loops on the host; of a large product, from a part of its rows, of a batch from
/// its first product.
double host_loop_seconds(const Operands& operands, const MultiplyCommand& command) {
  if (operands.products() == 0) return 0;
  constexpr double kProducts = 3e8;
  const auto rows = static_cast<double>(operands.rows);
  const double measured = std::ceil(std::min(1.0, kProducts / operands.products()) * rows);
  const auto of = [&](auto zero) {
    return loop_seconds<decltype(zero)>(operands, command, static_cast<std::size_t>(measured));
  };
  const ElementType type = operands.types.a;
  const double seconds = type == ElementType::complex64    ? of(std::complex<float>())
                         : type == ElementType::complex128 ? of(std::complex<double>())
                                                           : with_type(type, of);
  return seconds * static_cast<double>(operands.batch) * rows / measured;
}

/// Prints a line unless JSON is to be printed; the rest of a long `text` goes below its start.
void say(const MultiplyCommand& command, const std::string& start, const std::string& text = "") {
  if (!command.json) fmt::print("{}\n", with_hanging_indent(one_line(start), one_line(text)));
  std::fflush(stdout);
}

void say_skipped(const MultiplyCommand& command, const std::string& variant,
                 const std::string& reason) {
  say(command, fmt::format("{:<22}    ", variant), "skipped: " + reason);
}

/// The variant's times and errors; nothing, after a line with the reason, if it does not run.
std::optional<Measurement> run_variant(const VariantInfo& variant, const Operands& operands,
                                       const MultiplyCommand& command) {
  MultiplyOptions options = options_of(command, operands.types);
  options.kernel.variant = variant.name();
  const Mode mode{.accuracy = options.accuracy};
  if (const Verdict verdict = variant.runs_on(operands.engine, operands.types, mode); !verdict) {
    say_skipped(command, variant.name(), verdict.reason);
    return std::nullopt;
  }
  const detail::Operand c = output_of(operands);
  try {
    Measurement result = measure(operands, command, options, c);
    result.verification = verify(operands, command, options, to_host(c));
    return result;
  } catch (const UnsupportedError& error) {
    say_skipped(command, variant.name(), error.what());
    return std::nullopt;
  }
}

/// A row of the table; `host` is the time of plain loops.
void say_row(const MultiplyCommand& command, const Measurement& result, const Operands& operands,
             double host) {
  const Spread& seconds = result.seconds;
  const char* verdict = result.passed()                 ? ""
                        : result.verification->passed() ? " wrapped"
                                                        : " WRONG";
  const std::string row = fmt::format(
      "{:<22}{:>11.2f} {:>9.2f} {:>9.1f} {:>12.2f}{}", result.ran.variant(), 1e3 * seconds.median,
      gflops(operands, seconds.median), host / seconds.median, result.verification->worst, verdict);
  const std::string parameters = text_of(result.ran.parameters());
  if (row.size() + 2 + parameters.size() <= terminal_of(kStandardOutput).columns) {
    say(command, row + "  " + parameters);
  } else {
    say(command, row);
    say(command, fmt::format("{:<22}    ", ""), parameters);
  }
  if (seconds.count > 1) say(command, fmt::format("{:<22}    {}", "", text_of(seconds)));
}

}  // namespace

int run_every_kernel(const Operands& operands, const MultiplyCommand& command) {
  const double host = host_loop_seconds(operands, command);
  Json document = {{"host_loop_seconds", host}, {"kernels", Json::array()}};
  say(command, fmt::format("{}, {} on {}", text_of_sizes(operands), to_string(operands.types),
                           operands.engine.device().name));
  say(command, fmt::format("{:<22}{:>11} {:>9} {:>9} {:>12}", "kernel", "ms", "GFLOP/s", "speed-up",
                           "error/bound"));
  say(command, fmt::format("{:<22}{:>11.2f} {:>9.2f} {:>9}", "plain loops, host", 1e3 * host,
                           gflops(operands, host), "1"));
  int status = done;
  for (const VariantInfo& variant : info_of("multiply").variants) {
    const auto result = run_variant(variant, operands, command);
    if (!result) continue;
    if (!result->passed()) status = check_failed;
    document["kernels"].push_back(json_of(*result, operands, command));
    say_row(command, *result, operands, host);
  }
  if (command.json) print_json(document);
  return status;
}

}  // namespace tessera::tool
