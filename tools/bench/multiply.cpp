// Multiply: every variant at its defaults, timed on the device.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply.hpp"

namespace tessera::bench {
namespace {

Matrix<float> random_matrix(const Engine& engine, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> elements(n * n);
  for (float& element : elements) element = uniform(random);
  return Matrix<float>(engine, n, n, elements);
}

void square(benchmark::State& state, const VariantInfo& variant) {
  const Engine engine(EngineOptions{.profiling = true});
  if (const Verdict verdict = variant.runs_on(engine, ElementType::float32); !verdict) {
    state.SkipWithError(verdict.reason.c_str());
    return;
  }
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto a = random_matrix(engine, n, 1), b = random_matrix(engine, n, 2);
  Matrix<float> c(engine, n, n);
  const MultiplyOptions<float> options{.kernel = {variant.name(), {}}};
  multiply_into(c, a, b, options);
  for (auto _ : state)
    state.SetIterationTime(multiply_into(c, a, b, options).seconds().value_or(0));
  const double operations =
      2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  state.counters["GFLOP/s"] =
      benchmark::Counter(1e-9 * operations, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(engine.device().name);
}

}  // namespace

void register_multiply() {
  for (const VariantInfo& variant : operations().front().variants) {
    benchmark::RegisterBenchmark(("Multiply/" + variant.name()).c_str(),
                                 [&variant](benchmark::State& state) { square(state, variant); })
        ->Arg(256)
        ->Arg(1024)
        ->UseManualTime()
        ->MinTime(0.2)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace tessera::bench
