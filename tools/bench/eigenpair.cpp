// Eigenpair: whole solves of a Hilbert matrix by each method, beside the bandwidth of the device
// and beside other libraries, in turn.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"
#include "peers.hpp"

namespace tessera::bench {
namespace {

void solves(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Engine engine;
  const std::vector<float> elements = hilbert(n);
  const Matrix<float> a(engine, n, n, elements);
  const auto peers = make_peers(engine, elements, n);
  const double bytes = 4.0 * static_cast<double>(n * n);
  const auto solve = [&](EigenMethod method) {
    return dominant_eigenpair(a, {.method = method, .stop = StopTest::neighbours}).rounds;
  };
  const std::map<std::string, EigenMethod> methods = {{"implicit", EigenMethod::implicit},
                                                      {"fused", EigenMethod::fused},
                                                      {"explicit", EigenMethod::explicit_steps}};
  for (const auto& [name, method] : methods) solve(method);
  const std::uint64_t rounds = solve(EigenMethod::implicit);  // all take as many
  for (const auto& peer : peers) peer->run(2);
  const Bandwidth bandwidth(engine, elements);
  std::map<std::string, std::vector<double>> times;
  for (auto _ : state) {
    times["bandwidth"].push_back(bandwidth.seconds_a_byte());
    for (const auto& [name, method] : methods)
      times[name].push_back(seconds([&] { solve(method); }));
    for (const auto& peer : peers)
      times[peer->name()].push_back(seconds([&] { peer->run(rounds + 1); }));
    state.SetIterationTime(times["implicit"].back());
  }
  const double read = median(times["bandwidth"]) * bytes;
  const auto products = static_cast<double>(rounds + 1);
  state.counters["rounds"] = static_cast<double>(rounds);
  state.counters["GB/s"] = 1e-9 * bytes / read;
  for (const auto& [name, values] : times) {
    if (name == "bandwidth") continue;
    state.counters[name + "_ms"] = 1e3 * median(values);
    state.counters[name + "_reads"] = median(values) / products / read;
  }
  state.SetLabel(engine.device().name);
}
BENCHMARK(solves)
    ->Name("Eigenpair/hilbert")
    ->RangeMultiplier(2)
    ->Range(1024, 16384)
    ->UseManualTime()
    ->Iterations(9)
    ->Unit(benchmark::kMillisecond);

/// Plain, with restarts, and with restarts if rounds are slow, on two nearly decoupled blocks. The
/// relative gap of the first two eigenvalues is 10^-exponent.
void small_gap(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const double gap = std::pow(10.0, -static_cast<double>(state.range(1)));
  const Engine engine;
  std::vector<float> elements(n * n);
  // Without the ripple, elements are 1 within blocks and c between them; eigenvalues are
  // n/2 (1 + c) and n/2 (1 - c).
  const auto c = static_cast<float>(gap / (2 - gap));
  for (std::size_t i = 0; i < elements.size(); i++) {
    const std::size_t row = i / n, column = i % n;
    const float ripple = 1 + 0.5f * static_cast<float>((7 * row + 13 * column) % 17) / 17;
    elements[i] = ripple * ((row < n / 2) == (column < n / 2) ? 1 : c);
  }
  const Matrix<float> a(engine, n, n, elements);
  std::vector<double> plain, krylov, automatic;
  double width = 0;
  const auto solve = [&](Acceleration acceleration) {
    const auto pair = dominant_eigenpair(
        a, {.tolerance = 1e-8, .max_rounds = 1000000, .acceleration = acceleration});
    if (!pair.converged) state.SkipWithError("not converged");
    width = std::max(width, (pair.upper - pair.lower) / pair.upper);
    state.counters[std::string(to_string(acceleration)) + "_rounds"] =
        static_cast<double>(pair.rounds);
  };
  for (auto _ : state) {
    plain.push_back(seconds([&] { solve(Acceleration::none); }));
    krylov.push_back(seconds([&] { solve(Acceleration::krylov); }));
    automatic.push_back(seconds([&] { solve(Acceleration::automatic); }));
    state.SetIterationTime(automatic.back());
  }
  state.counters["none_ms"] = 1e3 * median(plain);
  state.counters["krylov_ms"] = 1e3 * median(krylov);
  state.counters["automatic_ms"] = 1e3 * median(automatic);
  state.counters["ratio"] = median(plain) / median(automatic);
  state.counters["width"] = width;
  state.SetLabel(engine.device().name);
}
BENCHMARK(small_gap)
    ->Name("Eigenpair/small_gap")
    ->ArgNames({"n", "gap_1e-"})
    ->Args({512, 2})
    ->Args({512, 4})
    ->Args({2048, 2})
    ->Args({2048, 3})
    ->Args({2048, 4})
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace tessera::bench
