// Multiply: every variant at its defaults, timed on the device.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

void square(benchmark::State& state, const VariantInfo& variant) {
  const Engine engine(EngineOptions{.profiling = true});
  if (const Verdict verdict = variant.runs_on(engine, ElementType::float32); !verdict) {
    state.SkipWithError(verdict.reason.c_str());
    return;
  }
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto a = random_matrix(engine, n, n), b = random_matrix(engine, n, n);
  Matrix<float> c(engine, n, n);
  const MultiplyOptions options{.kernel = {variant.name(), {}}};
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
  for (const VariantInfo& variant : info_of("multiply").variants) {
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
