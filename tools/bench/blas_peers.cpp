// Peers: whole calls of multiply on a CPU, without a profile, interleaved with calls of the
// installed BLAS libraries, Eigen and CLBlast.
#include "blas_peers.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bandwidth.hpp"
#include "blas.hpp"
#include "clblast.hpp"
#include "eigen_product.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

constexpr int kTurns = 11;

/// A product to measure.
struct Case {
  std::size_t m, n, k, count = 1;
  bool transpose_a = false, transpose_b = false;

  double flops() const { return 2.0 * static_cast<double>(m * n * k) * static_cast<double>(count); }
};

/// A library's call to measure.
struct Turn {
  std::string name;
  std::function<void()> call;
};

/// The matrices of a case, on the device and on the host, and every library's call on them.
template <class T>
class Turns {
 public:
  Turns(const Engine& engine, const Case& sizes)
      : sizes_(sizes),
        host_a_(random_elements(sizes.count * sizes.m * sizes.k, 1)),
        host_b_(random_elements(sizes.count * sizes.k * sizes.n, 2)),
        host_c_(sizes.count * sizes.m * sizes.n),
        a_(engine, sizes.count * (sizes.transpose_a ? sizes.k : sizes.m),
           sizes.transpose_a ? sizes.m : sizes.k, host_a_),
        b_(engine, sizes.count * (sizes.transpose_b ? sizes.n : sizes.k),
           sizes.transpose_b ? sizes.k : sizes.n, host_b_),
        c_(engine, sizes.count * sizes.m, sizes.n) {}

  /// Ours first. The calls refer to this object.
  std::vector<Turn> all() {
    std::vector<Turn> turns = {{"ours", [this] { ours(); }}};
    for (const Blas& blas : installed_blas())
      turns.push_back({blas.name(), [this, &blas] { blas.multiply(on_host()); }});
    if (has_eigen_product()) turns.push_back({"Eigen", [this] { eigen_multiply(on_host()); }});
    if (has_clblast()) turns.push_back({"CLBlast", [this] { clblast_multiply<T>(on_device()); }});
    return turns;
  }

 private:
  static std::vector<T> random_elements(std::size_t number, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> elements(number);
    for (T& element : elements) element = uniform(random);
    return elements;
  }

  void ours() {
    const MultiplyOptions<T> options{.transpose_a = sizes_.transpose_a,
                                     .transpose_b = sizes_.transpose_b};
    if (sizes_.count == 1) {
      multiply_into(c_, a_, b_, options).finished.wait();
    } else {
      multiply_batched_into<T>(batch_of(c_, sizes_.count), batch_of(a_, sizes_.count),
                               batch_of(b_, sizes_.count), options)
          .finished.wait();
    }
  }

  HostProduct<T> on_host() {
    return {sizes_.m,           sizes_.n,       sizes_.k,       sizes_.count,  sizes_.transpose_a,
            sizes_.transpose_b, host_a_.data(), host_b_.data(), host_c_.data()};
  }

  DeviceProduct on_device() {
    return {sizes_.m,
            sizes_.n,
            sizes_.k,
            sizes_.count,
            sizes_.transpose_a,
            sizes_.transpose_b,
            interop::buffer(a_),
            interop::buffer(b_),
            interop::buffer(c_),
            interop::queue(a_.engine())};
  }

  Case sizes_;
  std::vector<T> host_a_, host_b_, host_c_;
  Matrix<T> a_, b_, c_;
};

/// Seconds per call, averaged over enough calls to take some milliseconds, after a warm-up call
/// that wakes the library's threads, and a pause in which the previous library's threads stop
/// spinning.
double seconds_of(const std::function<void()>& call) {
  using namespace std::chrono_literals;
  constexpr double kEnough = 8e-3;
  std::this_thread::sleep_for(35ms);
  const double once = std::max(seconds(call), 1e-7);
  const int times = static_cast<int>(std::clamp(kEnough / once, 1.0, 500.0));
  return seconds([&] {
           for (int i = 0; i < times; i++) call();
         }) /
         times;
}

/// Times of every turn by library name; our own under "ours".
using Times = std::map<std::string, std::vector<double>>;

/// A library that is many times slower than ours in two first turns gets no more.
template <class T>
Times take_turns(const Engine& engine, const Case& sizes, int number) {
  constexpr double kMuchSlower = 12;
  Turns<T> matrices(engine, sizes);
  std::vector<Turn> turns = matrices.all();
  std::vector<double> first;
  for (const Turn& turn : turns)
    first.push_back(std::min(seconds_of(turn.call), seconds_of(turn.call)));
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (first[i] > kMuchSlower * first[0])
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Times times;
  for (int i = 0; i < number; i++) {
    for (const Turn& turn : turns) times[turn.name].push_back(seconds_of(turn.call));
  }
  return times;
}

/// Their time over ours, turn by turn, sorted.
std::vector<double> ratios(const Times& times, const std::string& name) {
  std::vector<double> all;
  for (std::size_t i = 0; i < times.at(name).size(); i++)
    all.push_back(times.at(name)[i] / times.at("ours")[i]);
  std::ranges::sort(all);
  return all;
}

/// The median ratio to the fastest of the others.
double ratio_to_best(const Times& times) {
  double best = 0;
  for (const auto& [name, values] : times) {
    if (name == "ours") continue;
    const double ratio = median(ratios(times, name));
    best = best == 0 ? ratio : std::min(best, ratio);
  }
  return best;
}

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
    state.counters["peak"] = peak<T>(engine);
    state.SetIterationTime(median(times.at("ours")));
  }
  state.SetLabel(engine.device().name);
}

/// 300 fixed random shapes, dimensions log-uniform from 32 to 4096: the geometric mean of our speed
/// relative to the best of the others, and the worst.
void random_shapes(benchmark::State& state) {
  constexpr int kShapes = 300;
  constexpr unsigned kSeed = 20260101;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> exponent(std::log2(32.0), std::log2(4096.0));
  const Engine engine = engine_without_profile();
  for (auto _ : state) {
    double logarithms = 0, worst = INFINITY;
    Case worst_case{};
    for (int i = 0; i < kShapes; i++) {
      const auto size = [&] { return static_cast<std::size_t>(std::exp2(exponent(random))); };
      Case sizes{};
      sizes.m = size();
      sizes.n = size();
      sizes.k = size();
      const double ratio = ratio_to_best(take_turns<float>(engine, sizes, 3));
      logarithms += std::log(ratio);
      if (ratio < worst) worst_case = sizes;
      worst = std::min(worst, ratio);
    }
    state.counters["geometric_mean"] = std::exp(logarithms / kShapes);
    state.counters["worst"] = worst;
    state.SetLabel("worst: " + std::to_string(worst_case.m) + " x " + std::to_string(worst_case.n) +
                   " x " + std::to_string(worst_case.k));
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

}  // namespace

void register_peers() {
  for (const std::size_t n : {64, 128, 256, 512, 1023, 1024, 2048, 2049, 4096})
    add<float>("float", {n, n, n});
  for (const std::size_t n : {256, 1024, 2048, 4096}) add<double>("double", {n, n, n});
  for (const auto& [a, b] : {std::pair(false, true), {true, false}, {true, true}})
    add<float>("float", {2048, 2048, 2048, 1, a, b});
  for (const Case& sizes : {Case{8192, 64, 8192}, {64, 8192, 8192}, {64, 64, 65536}})
    add<float>("float", sizes);
  for (const std::size_t n : {32, 64}) add<float>("float", {n, n, n, 10000});
  benchmark::RegisterBenchmark("Peers/random", random_shapes)->UseManualTime()->Iterations(1);
}

}  // namespace tessera::bench
