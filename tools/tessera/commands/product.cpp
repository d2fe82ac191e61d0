// Running, timing and checking one product.
#include "commands/product.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/command.hpp"
#include "commands/progress.hpp"
#include "element_types.hpp"

namespace tessera::tool {
namespace {

/// The smallest prime that is no less, so that its multiples meet every place of a tile; 1 for 1.
std::size_t prime_from(std::size_t number) {
  const auto composite = [](std::size_t candidate) {
    for (std::size_t factor = 2; factor * factor <= candidate; factor++) {
      if (candidate % factor == 0) return true;
    }
    return false;
  };
  while (composite(number)) number++;
  return number;
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
Measurement measure(const Operands<T>& operands, Matrix<T>& c, const MultiplyOptions<T>& options,
                    unsigned repeat) {
  Measurement result;
  std::vector<double> times;
  // What is to be built is built before, and a first run is no measure where others follow.
  const unsigned warm_up = repeat > 1 ? 1 : 0;
  prepare_multiply(c.engine(), options);
  Progress progress(repeat);
  for (unsigned run = 0; run < repeat + warm_up; run++) {
    if (options.beta != 0) c.upload(operands.c0.elements);
    result.ran = multiply_into(c, operands.a_device, operands.b_device, options);
    const double seconds = result.ran.seconds().value_or(0);
    if (run >= warm_up) times.push_back(seconds);
    progress.update(times.size(), fmt::format("{} {:.3g} ms", result.ran.variant(), 1e3 * seconds));
  }
  result.seconds = spread_of(std::move(times));
  return result;
}

template <Element T>
void verify(const Operands<T>& operands, const std::vector<T>& c, const MultiplyOptions<T>& options,
            Measurement& result) {
  constexpr std::size_t kProducts = 100'000'000;  // well under a second
  const std::size_t row = std::max<std::size_t>(operands.columns * operands.k, 1);
  const std::size_t step = prime_from(std::max<std::size_t>(operands.rows * row / kProducts, 1));
  result.verification =
      verify_multiply<T>(operands.rows, operands.columns, operands.k, operands.a.elements,
                         operands.b.elements, operands.c0.elements, c, options, step);
  result.rows_verified = (operands.rows + step - 1) / step;
}

template <Element T>
Json json_of(const Measurement& result, const Operands<T>& operands,
             const MultiplyCommand& command) {
  Json json = {{"device", operands.a_device.engine().device().name},
               {"kernel", result.ran.variant()},
               {"parameters", result.ran.parameters()},
               {"reason", result.ran.reason()},
               {"rows", operands.rows},
               {"columns", operands.columns},
               {"inner", operands.k},
               {"dtype", name(element_type_of<T>())},
               {"accuracy", command.accuracy},
               {"seconds", result.seconds.median},
               {"seconds_min", result.seconds.min},
               {"seconds_max", result.seconds.max},
               {"repetitions", result.seconds.count},
               {"gflops", gflops(operands.products(), result.seconds.median)},
               {"max_error", nullptr},
               {"error_bound", nullptr},
               {"verified", nullptr}};
  if (result.verification) {
    json["max_error"] = result.verification->max_error;
    json["error_bound"] = result.verification->error_bound;
    json["verified"] = result.verification->passed();
    json["rows_verified"] = result.rows_verified;
  }
  return json;
}

template MultiplyOptions<float> options_of<float>(const MultiplyCommand&);
template Measurement measure(const Operands<float>&, Matrix<float>&, const MultiplyOptions<float>&,
                             unsigned);
template void verify(const Operands<float>&, const std::vector<float>&,
                     const MultiplyOptions<float>&, Measurement&);
template Json json_of(const Measurement&, const Operands<float>&, const MultiplyCommand&);
template MultiplyOptions<double> options_of<double>(const MultiplyCommand&);
template Measurement measure(const Operands<double>&, Matrix<double>&,
                             const MultiplyOptions<double>&, unsigned);
template void verify(const Operands<double>&, const std::vector<double>&,
                     const MultiplyOptions<double>&, Measurement&);
template Json json_of(const Measurement&, const Operands<double>&, const MultiplyCommand&);
template MultiplyOptions<std::int32_t> options_of<std::int32_t>(const MultiplyCommand&);
template Measurement measure(const Operands<std::int32_t>&, Matrix<std::int32_t>&,
                             const MultiplyOptions<std::int32_t>&, unsigned);
template void verify(const Operands<std::int32_t>&, const std::vector<std::int32_t>&,
                     const MultiplyOptions<std::int32_t>&, Measurement&);
template Json json_of(const Measurement&, const Operands<std::int32_t>&, const MultiplyCommand&);
template MultiplyOptions<half> options_of<half>(const MultiplyCommand&);
template Measurement measure(const Operands<half>&, Matrix<half>&, const MultiplyOptions<half>&,
                             unsigned);
template void verify(const Operands<half>&, const std::vector<half>&, const MultiplyOptions<half>&,
                     Measurement&);
template Json json_of(const Measurement&, const Operands<half>&, const MultiplyCommand&);

}  // namespace tessera::tool
