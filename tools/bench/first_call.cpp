// First call: what a process waits for its first product, with programs from the cache on disk.
#include "first_call.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "child.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct Times {
  double device = 0, first = 0, second = 0;
};

/// The times that a process of its own measured.
Times run_child() {
  const std::vector<std::string> lines = lines_of_child(kFirstCallOption);
  Times times;
  if (lines.empty() || std::sscanf(lines[0].c_str(), "%lf %lf %lf", &times.device, &times.first,
                                   &times.second) != 3) {
    throw std::runtime_error("the child process did not measure anything");
  }
  return times;
}

void first_call(benchmark::State& state) {
  run_child();  // fills the cache
  std::vector<double> device, first, second;
  for (auto _ : state) {
    const Times times = run_child();
    device.push_back(times.device);
    first.push_back(times.first);
    second.push_back(times.second);
    state.SetIterationTime(1e-3 * times.first);
  }
  state.SetLabel(Engine().device().name);
  state.counters["device_start_ms"] = median(device);
  state.counters["first_multiply_ms"] = median(first);
  state.counters["second_multiply_ms"] = median(second);
}
BENCHMARK(first_call)
    ->Name("FirstCall/multiply_256")
    ->UseManualTime()
    ->Iterations(21)
    ->Unit(benchmark::kMillisecond);

}  // namespace

void measure_first_call() {
  constexpr std::size_t kSize = 256;
  const auto begin = Clock::now();
  const Engine engine;
  const std::vector<float> elements(kSize * kSize, 0.5f);
  const Matrix<float> a(engine, kSize, kSize, elements);
  const auto ready = Clock::now();
  (a * a).to_host();
  const auto once = Clock::now();
  (a * a).to_host();
  const auto twice = Clock::now();
  std::printf("%f %f %f\n", Milliseconds(ready - begin).count(), Milliseconds(once - ready).count(),
              Milliseconds(twice - once).count());
}

}  // namespace tessera::bench
