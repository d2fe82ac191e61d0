// HostProduct: products from host memory beside resident ones, on one device and on all.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tessera/tessera.hpp>
#include <thread>
#include <type_traits>
#include <vector>

#include "bandwidth.hpp"
#include "cublas_xt.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

/// Random elements from -1 to 1, by all threads.
template <class T>
void fill(T* elements, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kThreads = 8;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < kThreads; t++) {
    threads.emplace_back([=] {
      std::minstd_rand random(static_cast<unsigned>(seed * kThreads + t + 1));
      for (std::size_t i = count * t / kThreads; i < count * (t + 1) / kThreads; i++)
        elements[i] = static_cast<T>(random() % 2001) / T(1000) - T(1);
    });
  }
}

/// The devices that multiply_host() uses if none is named.
std::vector<Engine> all_devices() {
  const float one = 1;
  float c = 0;
  std::vector<Engine> engines;
  for (const auto& device : multiply_host<float>({&c, 1, 1}, {&one, 1, 1}, {&one, 1, 1}).devices)
    engines.push_back(device.engine);
  return engines;
}

/// The median time of each way to compute one product, which take turns.
template <class T>
void host_product(benchmark::State& state, Accuracy accuracy) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<Engine> engines = all_devices();
  const Engine& first = engines.front();
  HostMatrix<T> a(first, n, n), b(first, n, n), c(first, n, n);
  fill(a.elements().data(), n * n, 1);
  fill(b.elements().data(), n * n, 2);
  fill(c.elements().data(), n * n, 3);  // its pages exist
  std::vector<T> a_vector(a.elements().begin(), a.elements().end()),
      b_vector(b.elements().begin(), b.elements().end()), c_vector(n * n);

  std::map<std::string, std::function<void()>> ways;
  Matrix<T> a_there, b_there, c_there;
  if (3 * n * n * sizeof(T) < first.memory().capacity / 10 * 8) {
    a_there = Matrix<T>(first, n, n, a.elements());
    b_there = Matrix<T>(first, n, n, b.elements());
    c_there = Matrix<T>(first, n, n);
    ways["resident"] = [&] {
      multiply_into(c_there, a_there, b_there, {.accuracy = accuracy});
      first.finish();
    };
  }
  HostProductReport report;
  const auto by = [&](const std::vector<Engine>& devices, bool pinned) {
    return [&, devices, pinned] {
      const HostProductOptions options{.accuracy = accuracy, .devices = devices};
      report = pinned ? multiply_host(c, a, b, options)
                      : multiply_host<T>({c_vector.data(), n, n}, {a_vector.data(), n, n},
                                         {b_vector.data(), n, n}, options);
    };
  };
  ways["one"] = by({first}, true);
  ways["one_vector"] = by({first}, false);
  if (engines.size() > 1) {
    ways["all"] = by(engines, true);
    ways["all_vector"] = by(engines, false);
  }
  std::unique_ptr<CublasXt<T>> xt;
  if (accuracy == Accuracy::ieee) xt = make_cublas_xt<T>(n, a_vector, b_vector);
  if (xt) {
    for (const int tile : {2048, 4096, 8192}) {
      ways["xt_one_" + std::to_string(tile)] = [&, tile] { xt->multiply(1, tile); };
      if (engines.size() > 1)
        ways["xt_all_" + std::to_string(tile)] = [&, tile] {
          xt->multiply(static_cast<int>(engines.size()), tile);
        };
    }
  }
  for (const auto& [name, way] : ways) way();  // builds kernels, allocates
  std::map<std::string, std::vector<double>> times;
  for (auto _ : state) {
    for (const auto& [name, way] : ways) times[name].push_back(seconds(way));
    state.SetIterationTime(times["one"].back());
  }
  const double flops = 2.0 * std::pow(static_cast<double>(n), 3);
  for (const auto& [name, taken] : times) {
    state.counters[name + "_s"] = median(taken);
    state.counters[name + "_TF"] = 1e-12 * flops / median(taken);
  }
  state.SetLabel(first.device().name + " x " + std::to_string(engines.size()));
  benchmark::DoNotOptimize(report);
}

void sizes(benchmark::internal::Benchmark* product) {
  product->ArgName("n")->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);
}
void of_floats(benchmark::State& state) { host_product<float>(state, Accuracy::ieee); }
void of_doubles(benchmark::State& state) { host_product<double>(state, Accuracy::ieee); }
void of_bounded_floats(benchmark::State& state) { host_product<float>(state, Accuracy::bounded); }
BENCHMARK(of_floats)->Name("HostProduct/float")->Apply(sizes)->Arg(4096)->Arg(16384)->Arg(32768);
BENCHMARK(of_doubles)->Name("HostProduct/double")->Apply(sizes)->Arg(4096)->Arg(16384)->Arg(32768);
BENCHMARK(of_bounded_floats)
    ->Name("HostProduct/bounded")
    ->Apply(sizes)
    ->Arg(16384)
    ->Arg(32768)
    ->Arg(65536);

}  // namespace
}  // namespace tessera::bench
