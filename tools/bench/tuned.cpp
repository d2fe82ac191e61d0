// Tuned: the kernels of the profile in turns with those that run without one, on twelve shapes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <tessera/tessera.hpp>
#include <vector>

#include "parts.hpp"

namespace tessera::bench {
namespace {

/// A product on an engine.
struct Product {
  Matrix<float> a, b, c;
  Product(const Engine& engine, std::size_t m, std::size_t n, std::size_t k)
      : a(random_matrix(engine, m, k)), b(random_matrix(engine, k, n)), c(engine, m, n) {}

  /// Seconds on the device, of one call out of enough for a millisecond.
  double run() {
    const KernelRun first = multiply_into(c, a, b);
    const double once = first.seconds().value_or(1e-3);
    const int times = static_cast<int>(std::clamp(1e-3 / once, 1.0, 200.0));
    KernelRun last = multiply_into(c, a, b);
    const Event started = last.started;
    for (int i = 1; i < times; i++) last = multiply_into(c, a, b);
    return seconds_between(started, last.finished).value_or(0) / times;
  }
};

/// default_over_tuned is the ratio of medians; from lower to upper it lies 95 times of 100 for all
/// twelve shapes together (Bonferroni: 99.6 % each), from paired rounds.
void tuned(benchmark::State& state) {
  const Engine with(EngineOptions{.profiling = true}),
      without(EngineOptions{.profiling = true, .profile = "off"});
  const auto m = static_cast<std::size_t>(state.range(0)),
             n = static_cast<std::size_t>(state.range(1)),
             k = static_cast<std::size_t>(state.range(2));
  Product tuned(with, m, n, k), standard(without, m, n, k);
  std::vector<double> tuned_times, standard_times, logarithms;
  tuned.run();
  standard.run();
  for (auto _ : state) {
    const bool first = tuned_times.size() % 2 == 0;
    double seconds = first ? tuned.run() : 0;
    standard_times.push_back(standard.run());
    if (!first) seconds = tuned.run();
    tuned_times.push_back(seconds);
    logarithms.push_back(std::log(standard_times.back() / seconds));
    state.SetIterationTime(seconds);
  }
  double mean = 0, square = 0;
  const double count = static_cast<double>(logarithms.size());
  for (const double l : logarithms) mean += l / count;
  for (const double l : logarithms) square += (l - mean) * (l - mean);
  constexpr double kQuantile = 3.2;  // of Student's t with 29 degrees of freedom, 99.6 %
  const double half = kQuantile * std::sqrt(square / (count - 1) / count);
  state.counters["default_over_tuned"] = median(standard_times) / median(tuned_times);
  state.counters["lower"] = std::exp(mean - half);
  state.counters["upper"] = std::exp(mean + half);
  state.SetLabel(multiply(tuned.a, tuned.b).ran.reason);
}
BENCHMARK(tuned)
    ->Name("Tuned/multiply")
    ->ArgNames({"m", "n", "k"})
    ->Args({64, 64, 64})
    ->Args({128, 128, 128})
    ->Args({257, 255, 259})
    ->Args({512, 512, 512})
    ->Args({1000, 900, 1100})
    ->Args({1024, 1024, 1024})
    ->Args({2048, 2048, 2048})
    ->Args({1531, 1499, 1523})
    ->Args({4096, 64, 512})
    ->Args({64, 4096, 512})
    ->Args({2000, 3, 1000})
    ->Args({300, 300, 5000})
    ->UseManualTime()
    ->Iterations(30)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
