// Peers: whole calls of multiply, without a profile, interleaved with calls of other libraries.
#include "blas_peers.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"
#include "random_cases.hpp"
#include "turns.hpp"

namespace tessera::bench {
namespace {

constexpr int kTurns = 11;

/// GFLOP/s of chains of fused multiply-adds in registers, measured once.
template <class T>
double peak(const Engine& engine) {
  static const double measured =
      1e-9 * measure_peak(engine, sizeof(T) == (kIsComplex<T> ? 8 : 4) ? ElementType::float32
                                                                       : ElementType::float64)
                 .flops;
  return measured;
}

/// GFLOP/s of each library, real operations, and our speed relative to it: the median of paired
/// turns with its 98.8 % confidence interval.
template <class T>
void measure(benchmark::State& state, const Case& sizes) {
  const Engine engine = engine_without_profile();
  for (auto _ : state) {
    const Times times = take_turns<T>(engine, sizes, kTurns);
    for (const auto& [name, values] : times) {
      constexpr double kParts = kIsComplex<T> ? 4 : 1;
      state.counters[name] = 1e-9 * kParts * sizes.flops() / median(values);
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

template <class T>
void add(const std::string& type, const Case& sizes) {
  std::string name = "Peers/" + type + "/";
  name += letter_of(sizes.op_a);
  name += letter_of(sizes.op_b);
  name += "/";
  if (sizes.count > 1) name += std::to_string(sizes.count) + "x";
  name += std::to_string(sizes.m) + "x" + std::to_string(sizes.n) + "x" + std::to_string(sizes.k);
  benchmark::RegisterBenchmark(name.c_str(),
                               [sizes](benchmark::State& state) { measure<T>(state, sizes); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

constexpr std::pair<Op, Op> kOtherOps[] = {
    {Op::none, Op::transpose}, {Op::transpose, Op::none}, {Op::transpose, Op::transpose}};

/// Complex products of all nine pairs of ops.
template <class T>
void add_pairs(const std::string& type, std::size_t n) {
  for (const Op a : {Op::none, Op::transpose, Op::conjugate_transpose}) {
    for (const Op b : {Op::none, Op::transpose, Op::conjugate_transpose})
      add<T>(type, {n, n, n, 1, a, b});
  }
}

template <class T>
void add_complex_for_cpus(const std::string& type) {
  for (const std::size_t n : {256, 512, 2048, 2049}) add<T>(type, {n, n, n});
  add_pairs<T>(type, 1024);
  add<T>(type, {8192, 64, 8192});
}

template <class T>
void add_complex_for_gpus(const std::string& type) {
  for (const std::size_t n : {256, 512, 1024, 4096, 8192}) add<T>(type, {n, n, n});
  add_pairs<T>(type, 2048);
  for (std::size_t n = 1024; n <= 8192; n *= 2)
    add<T>(type + "_bounded", {n, n, n, 1, Op::none, Op::none, Accuracy::bounded});
}

void register_for_cpus() {
  for (const std::size_t n : {64, 128, 256, 512, 1023, 1024, 2048, 2049, 4096})
    add<float>("float", {n, n, n});
  for (const std::size_t n : {256, 1024, 2048, 4096}) add<double>("double", {n, n, n});
  for (const auto& [a, b] : kOtherOps) add<float>("float", {2048, 2048, 2048, 1, a, b});
  for (const Case& sizes : {Case{8192, 64, 8192}, {64, 8192, 8192}, {64, 64, 65536}})
    add<float>("float", sizes);
  for (const std::size_t n : {32, 64}) add<float>("float", {n, n, n, 10000});
  add_complex_for_cpus<std::complex<float>>("complex64");
  add_complex_for_cpus<std::complex<double>>("complex128");
}

void register_for_gpus() {
  const auto squares = [](std::size_t largest, auto&& add_square) {
    for (std::size_t n = 256; n <= largest; n *= 2) add_square(n);
  };
  squares(16384, [](std::size_t n) { add<float>("float", {n, n, n}); });
  squares(16384, [](std::size_t n) {
    add<float>("float_bounded", {n, n, n, 1, Op::none, Op::none, Accuracy::bounded});
  });
  squares(8192, [](std::size_t n) { add<double>("double", {n, n, n}); });
  squares(16384, [](std::size_t n) {
    add<double>("double_bounded", {n, n, n, 1, Op::none, Op::none, Accuracy::bounded});
  });
  squares(8192, [](std::size_t n) { add<half>("half", {n, n, n}); });
  squares(8192, [](std::size_t n) { add<std::int8_t>("int8", {n, n, n}); });
  squares(8192, [](std::size_t n) {
    add<std::int8_t>("int8", {n, n, n, 1, Op::none, Op::transpose});
  });
  for (const std::size_t n : {2048, 4096}) {
    for (const auto& [a, b] : kOtherOps) {
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
  add_complex_for_gpus<std::complex<float>>("complex64");
  add_complex_for_gpus<std::complex<double>>("complex128");
}

}  // namespace

void register_peers() {
  if (is_cpu(engine_without_profile())) {
    register_for_cpus();
    return;
  }
  register_for_gpus();
}

}  // namespace tessera::bench
