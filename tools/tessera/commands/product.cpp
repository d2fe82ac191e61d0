// Running, timing and checking one product.
#include "commands/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <complex>
#include <optional>

#include "commands/command.hpp"
#include "commands/device_memory.hpp"
#include "commands/progress.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

detail::Batch batch_of_operand(const detail::Operand& stored, std::size_t batch, bool repeats,
                               Op op) {
  detail::Batch result =
      repeats ? detail::Batch{stored, batch, 0} : detail::batch_of(stored, batch);
  result.first = detail::viewed(result.first, op);
  return result;
}

Accuracy accuracy_of(const MultiplyCommand& command) {
  return command.accuracy == "bounded" ? Accuracy::bounded : Accuracy::ieee;
}

/// The i-th of `batch` equal parts of a matrix.
detail::HostArray part_of(const AnyMatrix& matrix, std::size_t i, std::size_t batch) {
  const std::size_t count = matrix.shape.count() / batch;
  return {matrix.elements.data() + i * count * element_size(matrix.type), count};
}

}  // namespace

detail::Operand output_of(const Operands& operands) {
  return device_matrix(operands.engine, "the product", operands.types.c,
                       operands.batch * operands.rows, operands.columns);
}

std::string text_of_sizes(const Operands& operands) {
  return fmt::format("{} x {}, k {}{}", operands.rows, operands.columns, operands.k,
                     operands.batch == 1 ? "" : fmt::format(", batch {}", operands.batch));
}

double gflops(const Operands& operands, double seconds) {
  const double of_each = is_complex(operands.types.a) ? 8e-9 : 2e-9;
  return seconds > 0 ? of_each * operands.products() / seconds : 0;
}

Scalar scalar_of(const std::string& option, const std::string& text) {
  if (const auto real = number(text)) return *real;
  // The imaginary part begins with the last sign that is not an exponent's.
  constexpr const char* kSigns = "+-";
  std::size_t sign = text.find_last_of(kSigns);
  while (sign != text.npos && sign > 0 && std::tolower(text[sign - 1]) == 'e')
    sign = text.find_last_of(kSigns, sign - 1);
  if (text.ends_with('i') && sign != text.npos && sign > 0) {
    const auto real = number(text.substr(0, sign));
    const std::size_t begin = text[sign] == '+' ? sign + 1 : sign;
    const auto imaginary = number(text.substr(begin, text.size() - 1 - begin));
    if (real && imaginary) return std::complex(*real, *imaginary);
  }
  throw UsageError(
      fmt::format("{}: invalid number {}; expected e.g. 1.5 or 1.5-2i", option, in_quotes(text)));
}

MultiplyOptions options_of(const MultiplyCommand& command, const ProductTypes& types) {
  const auto require = [&](const std::string& option, const Scalar& factor) {
    if (factor.imaginary() != 0 && !is_complex(types.sum)) {
      throw UsageError(fmt::format("{}: expected a real number for {}, got {}", option,
                                   to_string(types), to_string(factor)));
    }
    require_fit(types.sum, factor.real(), [&] { return option; });
    require_fit(types.sum, factor.imaginary(), [&] { return option; });
  };
  require("--alpha", command.alpha);
  require("--beta", command.beta);
  return {.alpha = command.alpha,
          .beta = command.beta,
          .kernel = {command.kernel, parse_settings(command.settings)},
          .accuracy = accuracy_of(command)};
}

Measurement measure(const Operands& operands, const MultiplyCommand& command,
                    const MultiplyOptions& options, const detail::Operand& c) {
  const detail::Batch products = detail::batch_of(c, operands.batch);
  const detail::Batch a =
      batch_of_operand(operands.a_device, operands.batch, operands.repeats_a, command.op_a());
  const detail::Batch b =
      batch_of_operand(operands.b_device, operands.batch, operands.repeats_b, command.op_b());
  Measurement result;
  std::vector<double> times;
  const unsigned warm_up = command.repeat > 1 ? 1 : 0;
  std::optional<ElapsedLine> first_run(fmt::format("multiply {}", text_of_sizes(operands)));
  Progress progress(command.repeat);
  for (unsigned run = 0; run < command.repeat + warm_up; run++) {
    if (command.beta != 0) upload(c, operands.c0);
    result.ran = detail::multiply_batched_into(products, a, b, options);
    const double seconds = result.ran.seconds().value_or(0);
    first_run.reset();
    if (run >= warm_up) times.push_back(seconds);
    progress.update(times.size(), fmt::format("{} {:.3g} ms", result.ran.variant(), 1e3 * seconds));
  }
  result.seconds = spread_of(std::move(times));
  return result;
}

Verification verify(const Operands& operands, const MultiplyCommand& command,
                    const MultiplyOptions& options, const AnyMatrix& c) {
  constexpr std::size_t kProducts = 100'000'000;  // well under a second
  const std::size_t of_each =
      kProducts / std::max<std::size_t>(operands.batch * std::max<std::size_t>(operands.k, 1), 1);
  const auto part = [&](const AnyMatrix& of, std::size_t i, bool repeats = false) {
    return repeats ? part_of(of, 0, 1) : part_of(of, i, operands.batch);
  };
  Verification all;
  for (std::size_t i = 0; i < operands.batch; i++) {
    all.merge(detail::verify_multiply({.types = operands.types,
                                       .rows = operands.rows,
                                       .columns = operands.columns,
                                       .k = operands.k,
                                       .a = part(operands.a, i, operands.repeats_a),
                                       .b = part(operands.b, i, operands.repeats_b),
                                       .c_before = part(operands.c0, i),
                                       .c = part(c, i),
                                       .op_a = command.op_a(),
                                       .op_b = command.op_b()},
                                      options, {.max_elements = of_each, .seed = i}));
  }
  return all;
}

void add_verification(Json& json, const Operands& operands,
                      const std::optional<Verification>& verified) {
  json["input_rounding"] =
      std::max({operands.a.rounding, operands.b.rounding, operands.c0.rounding});
  json["max_error"] = nullptr;
  json["error_bound"] = nullptr;
  json["verified"] = nullptr;
  if (!verified) return;
  json["max_error"] = verified->max_error;
  json["error_bound"] = verified->error_bound;
  json["verified"] = passed(verified);
  json["unbounded"] = verified->unbounded;
  json["wrapped"] = verified->wrapped;
  json["elements_verified"] = verified->elements;
}

Json json_of(const Measurement& result, const Operands& operands, const MultiplyCommand& command) {
  const Problem problem{.operation = result.ran.operation(),
                        .types = operands.types,
                        .m = operands.rows,
                        .n = operands.columns,
                        .k = operands.k,
                        .batch = operands.batch,
                        .op_a = composed(operands.types.a, Op::none, command.op_a()),
                        .op_b = composed(operands.types.b, Op::none, command.op_b()),
                        .alpha = command.alpha,
                        .beta = command.beta,
                        .mode = {.accuracy = accuracy_of(command)}};
  Json json = {{"device", operands.engine.device().name},
               {"problem", Json::parse(to_json(problem))},
               {"kernel", result.ran.variant()},
               {"parameters", result.ran.parameters()},
               {"reason", result.ran.reason()},
               {"seconds", result.seconds.median},
               {"seconds_min", result.seconds.min},
               {"seconds_max", result.seconds.max},
               {"repetitions", result.seconds.count},
               {"gflops", gflops(operands, result.seconds.median)}};
  add_verification(json, operands, result.verification);
  return json;
}

}  // namespace tessera::tool
