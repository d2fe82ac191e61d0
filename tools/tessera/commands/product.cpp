// Running, timing and checking one product.
#include "commands/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/command.hpp"
#include "commands/device_memory.hpp"
#include "commands/progress.hpp"

namespace tessera::tool {
namespace {

detail::Batch batch_of_operand(const detail::Operand& stored, std::size_t batch, bool repeats,
                               bool transpose) {
  detail::Batch result =
      repeats ? detail::Batch{stored, batch, 0} : detail::batch_of(stored, batch);
  result.first = detail::transposed(result.first, op_if(transpose));
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

double gflops(double products, double seconds) {
  return seconds > 0 ? 2e-9 * products / seconds : 0;
}

MultiplyOptions options_of(const MultiplyCommand& command, const ProductTypes& types) {
  require_fit(types.sum, command.alpha, [] { return "--alpha"; });
  require_fit(types.sum, command.beta, [] { return "--beta"; });
  return {.alpha = command.alpha,
          .beta = command.beta,
          .kernel = {command.kernel, parse_settings(command.settings)},
          .accuracy = accuracy_of(command)};
}

Measurement measure(const Operands& operands, const MultiplyCommand& command,
                    const MultiplyOptions& options, const detail::Operand& c) {
  const detail::Batch products = detail::batch_of(c, operands.batch);
  const detail::Batch a =
      batch_of_operand(operands.a_device, operands.batch, operands.repeats_a, command.transpose_a);
  const detail::Batch b =
      batch_of_operand(operands.b_device, operands.batch, operands.repeats_b, command.transpose_b);
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
                                       .op_a = op_if(command.transpose_a),
                                       .op_b = op_if(command.transpose_b)},
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
                        .op_a = op_if(command.transpose_a),
                        .op_b = op_if(command.transpose_b),
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
               {"gflops", gflops(operands.products(), result.seconds.median)}};
  add_verification(json, operands, result.verification);
  return json;
}

}  // namespace tessera::tool
