// Peers: whole calls of multiply, without a profile, interleaved with calls of other libraries.
#include "blas_peers.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"
#include "turns.hpp"

namespace tessera::bench {
namespace {

constexpr int kTurns = 11;

/// GFLOP/s of chains of fused multiply-adds in registers, measured once.
template <class T>
double peak(const Engine& engine) {
  static const double measured =
      1e-9 *
      measure_peak(engine, sizeof(T) == 4 ? ElementType::float32 : ElementType::float64).flops;
  return measured;
}

Engine engine_without_profile() { return Engine(EngineOptions{.profile = "off"}); }

/// GFLOP/s of each library, and our speed relative to it: the median of paired turns with its 98.8
/// % confidence interval.
template <class T>
void measure(benchmark::State& state, const Case& sizes) {
  const Engine engine = engine_without_profile();
  for (auto _ : state) {
    const Times times = take_turns<T>(engine, sizes, kTurns);
    for (const auto& [name, values] : times) {
      state.counters[name] = 1e-9 * sizes.flops() / median(values);
      if (name == "ours") continue;
      const auto all = ratios(times, name);
      state.counters[name + "_ratio"] = median(all);
      state.counters[name + "_lower"] = all[1];
      state.counters[name + "_upper"] = all[all.size() - 2];
    }
    state.counters["best_ratio"] = ratio_to_best(times);
    if (is_cpu(engine)) state.counters["peak"] = peak<T>(engine);  // a GPU has other units too
    state.SetIterationTime(median(times.at("ours")));
  }
  const DeviceInfo& device = engine.device();  // one CPU may be the device of several runtimes
  state.SetLabel(is_cpu(engine) ? device.name + ", " + device.platform : device.name);
}

/// Our speed relative to another library's over many shapes.
struct Spread {
  int shapes = 0;
  double logarithms = 0, worst = INFINITY;
  Case worst_case{};

  void add(const Case& sizes, double ratio) {
    shapes++;
    logarithms += std::log(ratio);
    if (ratio < worst) worst_case = sizes;
    worst = std::min(worst, ratio);
  }
  double geometric_mean() const { return std::exp(logarithms / shapes); }
};

/// A line: the shape, our speed relative to the best, and each library's microseconds.
void print_times(const Case& sizes, const Times& times) {
  std::printf("%zu %zu %zu %.3f", sizes.m, sizes.n, sizes.k, ratio_to_best(times));
  for (const auto& [name, values] : times)
    std::printf(" %s %.1f", name.c_str(), 1e6 * median(values));
  std::printf("\n");
}

/// Fixed random shapes, dimensions log-uniform from 32 on: on a CPU 300 up to 4096, else 500 up to
/// 8192. The geometric mean of our speed relative to the best of the others, and the worst; the
/// same relative to each that was timed at every shape. With TESSERA_BENCH_SHAPES in the
/// environment, a line for each shape as well.
void random_shapes(benchmark::State& state) {
  constexpr unsigned kSeed = 20260101;
  const Engine engine = engine_without_profile();
  const int shapes = is_cpu(engine) ? 300 : 500;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> exponent(5, is_cpu(engine) ? 12 : 13);
  for (auto _ : state) {
    Spread to_best;
    std::map<std::string, Spread> to_each;
    for (int i = 0; i < shapes; i++) {
      const auto size = [&] { return static_cast<std::size_t>(std::exp2(exponent(random))); };
      Case sizes{};
      sizes.m = size();
      sizes.n = size();
      sizes.k = size();
      const Times times = take_turns<float>(engine, sizes, 3);
      to_best.add(sizes, ratio_to_best(times));
      for (const auto& [name, values] : times) {
        if (name != "ours") to_each[name].add(sizes, median(ratios(times, name)));
      }
      if (std::getenv("TESSERA_BENCH_SHAPES") != nullptr) print_times(sizes, times);
    }
    state.counters["shapes"] = shapes;
    state.counters["geometric_mean"] = to_best.geometric_mean();
    state.counters["worst"] = to_best.worst;
    for (const auto& [name, spread] : to_each) {
      if (spread.shapes < shapes) continue;
      state.counters[name + "_mean"] = spread.geometric_mean();
      state.counters[name + "_worst"] = spread.worst;
    }
    const Case& worst = to_best.worst_case;
    state.SetLabel("worst: " + std::to_string(worst.m) + " x " + std::to_string(worst.n) + " x " +
                   std::to_string(worst.k));
    state.SetIterationTime(1);
  }
}

template <class T>
void add(const std::string& type, const Case& sizes) {
  std::string name = "Peers/" + type + "/";
  name += sizes.transpose_a ? "T" : "N";
  name += sizes.transpose_b ? "T/" : "N/";
  if (sizes.count > 1) name += std::to_string(sizes.count) + "x";
  name += std::to_string(sizes.m) + "x" + std::to_string(sizes.n) + "x" + std::to_string(sizes.k);
  benchmark::RegisterBenchmark(name.c_str(),
                               [sizes](benchmark::State& state) { measure<T>(state, sizes); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

void register_for_cpus() {
  for (const std::size_t n : {64, 128, 256, 512, 1023, 1024, 2048, 2049, 4096})
    add<float>("float", {n, n, n});
  for (const std::size_t n : {256, 1024, 2048, 4096}) add<double>("double", {n, n, n});
  for (const auto& [a, b] : {std::pair(false, true), {true, false}, {true, true}})
    add<float>("float", {2048, 2048, 2048, 1, a, b});
  for (const Case& sizes : {Case{8192, 64, 8192}, {64, 8192, 8192}, {64, 64, 65536}})
    add<float>("float", sizes);
  for (const std::size_t n : {32, 64}) add<float>("float", {n, n, n, 10000});
}

void register_for_gpus() {
  const auto squares = [](std::size_t largest, auto&& add_square) {
    for (std::size_t n = 256; n <= largest; n *= 2) add_square(n);
  };
  squares(16384, [](std::size_t n) { add<float>("float", {n, n, n}); });
  squares(16384, [](std::size_t n) {
    add<float>("float_bounded", {n, n, n, 1, false, false, Accuracy::bounded});
  });
  squares(8192, [](std::size_t n) { add<double>("double", {n, n, n}); });
  squares(16384, [](std::size_t n) {
    add<double>("double_bounded", {n, n, n, 1, false, false, Accuracy::bounded});
  });
  squares(8192, [](std::size_t n) { add<half>("half", {n, n, n}); });
  squares(8192, [](std::size_t n) { add<std::int8_t>("int8", {n, n, n}); });
  squares(8192, [](std::size_t n) { add<std::int8_t>("int8", {n, n, n, 1, false, true}); });
  for (const std::size_t n : {2048, 4096}) {
    for (const auto& [a, b] : {std::pair(false, true), {true, false}, {true, true}}) {
      add<float>("float", {n, n, n, 1, a, b});
      add<double>("double", {n, n, n, 1, a, b});
      add<half>("half", {n, n, n, 1, a, b});
      add<float>("float", {n + 1, n + 1, n + 1, 1, a, b});
    }
    add<float>("float", {n + 1, n + 1, n + 1});
  }
  for (const Case& sizes : {Case{8, 8192, 8192},
                            {8192, 64, 8192},
                            {64, 8192, 8192},
                            {8192, 8192, 64},
                            {64, 64, 65536},
                            {1000, 3000, 500}})
    add<float>("float", sizes);
  add<float>("float", {64, 64, 64, 10000});
  add<half>("half", {64, 64, 64, 10000});
}

}  // namespace

void register_peers() {
  if (is_cpu(engine_without_profile())) {
    register_for_cpus();
  } else {
    register_for_gpus();
  }
  benchmark::RegisterBenchmark("Peers/random", random_shapes)->UseManualTime()->Iterations(1);
}

}  // namespace tessera::bench
