// Peers: whole calls of multiply, without a profile, interleaved with calls of other libraries: on
// a CPU the installed BLAS libraries and Eigen, on NVIDIA's GPUs cuBLAS, on any device CLBlast.
#include "blas_peers.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bandwidth.hpp"
#include "blas.hpp"
#include "clblast.hpp"
#include "cublas.hpp"
#include "eigen_product.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

constexpr int kTurns = 11;

/// A product to measure.
struct Case {
  std::size_t m, n, k, count = 1;
  bool transpose_a = false, transpose_b = false;
  Accuracy accuracy = Accuracy::ieee;

  double flops() const { return 2.0 * static_cast<double>(m * n * k) * static_cast<double>(count); }
};

/// A library's call to measure.
struct Turn {
  std::string name;
  std::function<void()> call;
};

bool is_cpu(const Engine& engine) { return engine.device().type == DeviceType::cpu; }

/// Null for a device that is not NVIDIA's too.
const Cublas* cublas_for(const Engine& engine) {
  const bool is_nvidia = engine.device().vendor.find("NVIDIA") != std::string::npos;
  return is_nvidia ? installed_cublas() : nullptr;
}

/// Normal numbers that repeat after a million, for matrices so large that each of its own would
/// take minutes.
template <class T>
std::vector<T> random_elements(std::size_t number, unsigned seed) {
  constexpr std::size_t kPeriod = 1000003;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<T> elements(number);
  for (std::size_t i = 0; i < number; i++)
    elements[i] = i < kPeriod ? static_cast<T>(normal(random)) : elements[i - kPeriod];
  return elements;
}

/// The matrices of a case, where each library wants them, and every library's call on them.
template <class T>
class Turns {
 public:
  Turns(const Engine& engine, const Case& sizes)
      : sizes_(sizes),
        host_a_(random_elements<T>(sizes.count * sizes.m * sizes.k, 1)),
        host_b_(random_elements<T>(sizes.count * sizes.k * sizes.n, 2)),
        a_(engine, sizes.count * (sizes.transpose_a ? sizes.k : sizes.m),
           sizes.transpose_a ? sizes.m : sizes.k, host_a_),
        b_(engine, sizes.count * (sizes.transpose_b ? sizes.n : sizes.k),
           sizes.transpose_b ? sizes.k : sizes.n, host_b_),
        c_(engine, sizes.count * sizes.m, sizes.n) {}

  /// Ours first. The calls refer to this object.
  std::vector<Turn> all() {
    std::vector<Turn> turns = {{"ours", [this] { ours(); }}};
    if constexpr (!std::same_as<T, half>) {
      if (is_cpu(a_.engine())) add_libraries_of_the_host(turns);
      if (has_clblast()) turns.push_back({"CLBlast", [this] { clblast_multiply<T>(on_device()); }});
    }
    if (const Cublas* const cublas = cublas_for(a_.engine())) add(*cublas, turns);
    return turns;
  }

 private:
  void ours() {
    const MultiplyOptions<T> options{.transpose_a = sizes_.transpose_a,
                                     .transpose_b = sizes_.transpose_b,
                                     .accuracy = sizes_.accuracy};
    if (sizes_.count == 1) {
      multiply_into(c_, a_, b_, options).finished.wait();
    } else {
      multiply_batched_into<T>(batch_of(c_, sizes_.count), batch_of(a_, sizes_.count),
                               batch_of(b_, sizes_.count), options)
          .finished.wait();
    }
  }

  void add_libraries_of_the_host(std::vector<Turn>& turns) {
    host_c_.resize(sizes_.count * sizes_.m * sizes_.n);
    const auto product = raw(host_a_.data(), host_b_.data(), host_c_.data());
    for (const Blas& blas : installed_blas())
      turns.push_back({blas.name(), [product, &blas] { blas.multiply(product); }});
    if (has_eigen_product()) turns.push_back({"Eigen", [product] { eigen_multiply(product); }});
  }

  void add(const Cublas& cublas, std::vector<Turn>& turns) {
    cuda_ = {cublas.upload(host_a_), cublas.upload(host_b_),
             cublas.allocate(sizes_.count * sizes_.m * sizes_.n * sizeof(T))};
    const auto address = [&](int i) { return static_cast<T*>(cuda_[i].get()); };
    turns.push_back({"cuBLAS", [product = raw(address(0), address(1), address(2)), &cublas] {
                       cublas.multiply(product);
                       cublas.finish();
                     }});
  }

  RawProduct<T> raw(const T* a, const T* b, T* c) const {
    return {sizes_.m, sizes_.n, sizes_.k, sizes_.count, sizes_.transpose_a, sizes_.transpose_b,
            a,        b,        c};
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
  std::array<CudaMemory, 3> cuda_;
  Matrix<T> a_, b_, c_;
};

/// Seconds per call, averaged over enough calls to take some milliseconds, after a warm-up call
/// that wakes the library's threads, and on a CPU a pause in which the previous library's threads
/// stop spinning.
double seconds_of(const std::function<void()>& call, bool on_cpu) {
  using namespace std::chrono_literals;
  constexpr double kEnough = 8e-3;
  if (on_cpu) std::this_thread::sleep_for(35ms);
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
  const bool on_cpu = is_cpu(engine);
  Turns<T> matrices(engine, sizes);
  std::vector<Turn> turns = matrices.all();
  std::vector<double> first;
  for (const Turn& turn : turns)
    first.push_back(std::min(seconds_of(turn.call, on_cpu), seconds_of(turn.call, on_cpu)));
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (first[i] > kMuchSlower * first[0])
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Times times;
  for (int i = 0; i < number; i++) {
    for (const Turn& turn : turns) times[turn.name].push_back(seconds_of(turn.call, on_cpu));
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
    if (is_cpu(engine)) state.counters["peak"] = peak<T>(engine);  // a GPU has other units too
    state.SetIterationTime(median(times.at("ours")));
  }
  state.SetLabel(engine.device().name);
}

/// Fixed random shapes, dimensions log-uniform from 32 on: on a CPU 300 up to 4096, else 500 up to
/// 8192. The geometric mean of our speed relative to the best of the others, and the worst.
void random_shapes(benchmark::State& state) {
  constexpr unsigned kSeed = 20260101;
  const Engine engine = engine_without_profile();
  const int shapes = is_cpu(engine) ? 300 : 500;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> exponent(5, is_cpu(engine) ? 12 : 13);
  for (auto _ : state) {
    double logarithms = 0, worst = INFINITY;
    Case worst_case{};
    for (int i = 0; i < shapes; i++) {
      const auto size = [&] { return static_cast<std::size_t>(std::exp2(exponent(random))); };
      Case sizes{};
      sizes.m = size();
      sizes.n = size();
      sizes.k = size();
      const double ratio = ratio_to_best(take_turns<float>(engine, sizes, 3));
      if (std::getenv("TESSERA_BENCH_SHAPES") != nullptr)
        std::printf("%zu %zu %zu %.3f\n", sizes.m, sizes.n, sizes.k, ratio);
      logarithms += std::log(ratio);
      if (ratio < worst) worst_case = sizes;
      worst = std::min(worst, ratio);
    }
    state.counters["shapes"] = shapes;
    state.counters["geometric_mean"] = std::exp(logarithms / shapes);
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
  squares(8192, [](std::size_t n) { add<half>("half", {n, n, n}); });
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
