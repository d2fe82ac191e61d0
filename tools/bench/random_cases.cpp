// The cases follow from the seed.
#include "random_cases.hpp"

#include <cmath>
#include <cstdlib>

namespace tessera::bench {

char letter_of(Op op) { return op == Op::none ? 'N' : op == Op::transpose ? 'T' : 'C'; }

std::string text_of(const Case& sizes) {
  std::string text = sizes.count > 1 ? std::to_string(sizes.count) + " of " : "";
  text += std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " +
          std::to_string(sizes.k) + " " + letter_of(sizes.op_a) + letter_of(sizes.op_b);
  if (sizes.padding > 0) text += " padding " + std::to_string(sizes.padding);
  if (sizes.beta != 0) text += sizes.beta == 1 ? " beta 1" : " beta 0.5";
  return text;
}

unsigned seed_of_cases() {
  static const unsigned seed = [] {
    const char* const text = std::getenv("TESSERA_BENCH_SEED");
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10))
                           : std::random_device()();
  }();
  return seed;
}

RandomCases::RandomCases(bool on_cpu, Accuracy accuracy, double beta)
    : random_(seed_of_cases()),
      exponent_(std::log(17.0), std::log(on_cpu ? 3000.0 : 9000.0)),
      least_(on_cpu ? 1e7 : 0),
      accuracy_(accuracy),
      beta_(beta) {}

Case RandomCases::next() {
  Case sizes{};
  do {
    sizes = {.m = size(), .n = size(), .k = size(), .accuracy = accuracy_};
  } while (sizes.flops() < 2 * least_);
  sizes.op_a = op_if(one_of(2));
  sizes.op_b = op_if(one_of(2));
  if (one_of(3)) sizes.padding = 2 * (random_() % 8) + 1;
  if (one_of(3)) sizes.beta = beta_;
  return sizes;
}

std::size_t RandomCases::size() { return static_cast<std::size_t>(std::exp(exponent_(random_))); }

}  // namespace tessera::bench
