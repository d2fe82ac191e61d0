// Running, timing and checking one product.
#include "commands/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "commands/command.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"
#include "exports/tune_json.hpp"

namespace tessera::tool {
namespace {

template <Element T>
ConstBatchView<T> batch_of_operand(const Matrix<T>& matrix, std::size_t batch, bool repeats) {
  return repeats ? repeated<T>(matrix.view(), batch) : batch_of(matrix, batch);
}

}  // namespace

double gflops(double products, double seconds) {
  return seconds > 0 ? 2e-9 * products / seconds : 0;
}

template <Element T>
MultiplyOptions<T> options_of(const MultiplyCommand& command) {
  const auto scalar = [](double value, const char* name) {
    return converted<Scalar<T>>(value, [&] { return std::string(name); });
  };
  return {.alpha = scalar(command.alpha, "--alpha"),
          .beta = scalar(command.beta, "--beta"),
          .transpose_a = command.transpose_a,
          .transpose_b = command.transpose_b,
          .kernel = {command.kernel, parse_settings(command.settings)},
          .accuracy = command.accuracy == "bounded" ? Accuracy::bounded : Accuracy::ieee};
}

template <Element T>
Measurement measure(const Operands<T>& operands, Matrix<ProductElement<T>>& c,
                    const MultiplyOptions<T>& options, unsigned repeat) {
  Measurement result;
  std::vector<double> times;
  // What is to be built is built before, and a first run is no measure where others follow.
  const unsigned warm_up = repeat > 1 ? 1 : 0;
  prepare_multiply<T>(c.engine(), options);
  std::optional<ElapsedLine> first_run(fmt::format("multiply {}", text_of_sizes(operands)));
  Progress progress(repeat);
  for (unsigned run = 0; run < repeat + warm_up; run++) {
    if (options.beta != 0) c.upload(operands.c0.elements);
    result.ran = multiply_batched_into(
        batch_of(c, operands.batch),
        batch_of_operand(operands.a_device, operands.batch, operands.repeats_a),
        batch_of_operand(operands.b_device, operands.batch, operands.repeats_b), options);
    const double seconds = result.ran.seconds().value_or(0);
    first_run.reset();
    if (run >= warm_up) times.push_back(seconds);
    progress.update(times.size(), fmt::format("{} {:.3g} ms", result.ran.variant(), 1e3 * seconds));
  }
  result.seconds = spread_of(std::move(times));
  return result;
}

template <Element T>
void verify(const Operands<T>& operands, const std::vector<ProductElement<T>>& c,
            const MultiplyOptions<T>& options, Measurement& result) {
  constexpr std::size_t kProducts = 100'000'000;  // well under a second
  const std::size_t of_each =
      kProducts / std::max<std::size_t>(operands.batch * std::max<std::size_t>(operands.k, 1), 1);
  const auto part = [&]<class Number>(const std::vector<Number>& all, std::size_t i,
                                      bool repeats = false) {
    const std::size_t size = repeats ? all.size() : all.size() / operands.batch;
    return std::span<const Number>(all).subspan(repeats ? 0 : i * size, size);
  };
  result.verification.emplace();
  for (std::size_t i = 0; i < operands.batch; i++) {
    result.verification->merge(verify_multiply<T>(operands.rows, operands.columns, operands.k,
                                                  part(operands.a.elements, i, operands.repeats_a),
                                                  part(operands.b.elements, i, operands.repeats_b),
                                                  part(operands.c0.elements, i), part(c, i),
                                                  options, {.max_elements = of_each, .seed = i}));
  }
}

template <Element T>
double input_rounding(const Operands<T>& operands) {
  return std::max({operands.a.rounding, operands.b.rounding, operands.c0.rounding});
}

template <Element T>
std::string text_of_sizes(const Operands<T>& operands) {
  return fmt::format("{} x {}, k {}{}", operands.rows, operands.columns, operands.k,
                     operands.batch == 1 ? "" : fmt::format(", batch {}", operands.batch));
}

template <Element T>
Json json_of(const Measurement& result, const Operands<T>& operands,
             const MultiplyCommand& command) {
  const Problem problem{
      .operation = result.ran.operation(),
      .type = element_type_of<T>(),
      .m = operands.rows,
      .n = operands.columns,
      .k = operands.k,
      .batch = operands.batch,
      .transpose_a = command.transpose_a,
      .transpose_b = command.transpose_b,
      .alpha = command.alpha,
      .beta = command.beta,
      .mode = {.accuracy = command.accuracy == "bounded" ? Accuracy::bounded : Accuracy::ieee}};
  Json json = {{"device", operands.a_device.engine().device().name},
               {"problem", json_of(problem)},
               {"kernel", result.ran.variant()},
               {"parameters", result.ran.parameters()},
               {"reason", result.ran.reason()},
               {"seconds", result.seconds.median},
               {"seconds_min", result.seconds.min},
               {"seconds_max", result.seconds.max},
               {"repetitions", result.seconds.count},
               {"gflops", gflops(operands.products(), result.seconds.median)},
               {"input_rounding", input_rounding(operands)},
               {"max_error", nullptr},
               {"error_bound", nullptr},
               {"verified", nullptr}};
  if (result.verification) {
    json["max_error"] = result.verification->max_error;
    json["error_bound"] = result.verification->error_bound;
    json["verified"] = result.passed();
    json["unbounded"] = result.verification->unbounded;
    json["wrapped"] = result.verification->wrapped;
    json["elements_verified"] = result.verification->elements;
  }
  return json;
}

#define TESSERA_PRODUCT(T)                                                        \
  template MultiplyOptions<T> options_of<T>(const MultiplyCommand&);              \
  template Measurement measure(const Operands<T>&, Matrix<ProductElement<T>>&,    \
                               const MultiplyOptions<T>&, unsigned);              \
  template void verify(const Operands<T>&, const std::vector<ProductElement<T>>&, \
                       const MultiplyOptions<T>&, Measurement&);                  \
  template double input_rounding(const Operands<T>&);                             \
  template std::string text_of_sizes(const Operands<T>&);                         \
  template Json json_of(const Measurement&, const Operands<T>&, const MultiplyCommand&);
TESSERA_PRODUCT(float)
TESSERA_PRODUCT(double)
TESSERA_PRODUCT(std::int32_t)
TESSERA_PRODUCT(half)
TESSERA_PRODUCT(std::int8_t)
#undef TESSERA_PRODUCT

}  // namespace tessera::tool
