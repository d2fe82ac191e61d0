// Eigenpair: whole solves of a Hilbert matrix by each method, beside the bandwidth of the device
// and beside other libraries, in turn.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "parts.hpp"
#include "peers.hpp"

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

template <class Call>
double seconds(Call&& call) {
  const auto start = Clock::now();
  call();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Reads n x n elements again and again on all threads of this machine, four rows at a time: one
/// stream alone is slower.
void read_on_host(const std::vector<float>& elements, std::size_t n, std::size_t times) {
  using Numbers __attribute__((vector_size(16))) = float;
  constexpr std::size_t kRows = 4, kWidth = sizeof(Numbers) / sizeof(float);
  const std::size_t threads = std::thread::hardware_concurrency(), blocks = n / kRows;
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; t++) {
    workers.emplace_back([&elements, n, times, threads, blocks, t] {
      std::array<Numbers, 2 * kRows> sums = {};
      const auto add = [&](Numbers& sum, const float* from) {
        Numbers more;
        std::memcpy(&more, from, sizeof more);
        sum += more;
      };
      for (std::size_t time = 0; time < times; time++) {
        for (std::size_t block = blocks * t / threads; block < blocks * (t + 1) / threads;
             block++) {
          const float* rows = elements.data() + block * kRows * n;
          for (std::size_t j = 0; j < n; j += 2 * kWidth) {
            for (std::size_t r = 0; r < kRows; r++) {
              add(sums[2 * r], rows + r * n + j);
              add(sums[2 * r + 1], rows + r * n + j + kWidth);
            }
          }
        }
      }
      benchmark::DoNotOptimize(sums);
    });
  }
}

/// Copies from one buffer to another on the device, four times.
class DeviceCopy {
 public:
  DeviceCopy(const Engine& engine, std::size_t bytes)
      : from_(engine, 1, bytes / sizeof(float)),
        to_(engine, 1, bytes / sizeof(float)),
        queue_(interop::queue(engine)),
        bytes_(bytes) {}
  void operator()() const {
    for (int i = 0; i < 4; i++) {
      clEnqueueCopyBuffer(queue_, interop::buffer(from_), interop::buffer(to_), 0, 0, bytes_, 0,
                          nullptr, nullptr);
    }
    clFinish(queue_);
  }

 private:
  Matrix<float> from_, to_;
  cl_command_queue queue_;
  std::size_t bytes_;
};

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
  const bool on_host = engine.device().type == DeviceType::cpu;
  const DeviceCopy copy(engine, on_host ? 64 : std::size_t{2} << 30);

  constexpr std::size_t kReads = 8;
  std::map<std::string, std::vector<double>> times;
  for (auto _ : state) {
    times["bandwidth"].push_back(on_host ? seconds([&] { read_on_host(elements, n, kReads); }) /
                                               (kReads * bytes)
                                         : seconds(copy) / 0x1p34);
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
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(8192)
    ->UseManualTime()
    ->Iterations(9)
    ->Unit(benchmark::kMillisecond);

/// Plain and with restarts on two blocks that hardly know of each other: the relative gap of the
/// first two eigenvalues is 10^-exponent.
void small_gap(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const double gap = std::pow(10.0, -static_cast<double>(state.range(1)));
  const Engine engine;
  std::vector<float> elements(n * n);
  // But for the ripple: inside a block 1, between the blocks c; eigenvalues n/2 (1 + c) and n/2 (1
  // - c).
  const auto c = static_cast<float>(gap / (2 - gap));
  for (std::size_t i = 0; i < elements.size(); i++) {
    const std::size_t row = i / n, column = i % n;
    const float ripple = 1 + 0.5f * static_cast<float>((7 * row + 13 * column) % 17) / 17;
    elements[i] = ripple * ((row < n / 2) == (column < n / 2) ? 1 : c);
  }
  const Matrix<float> a(engine, n, n, elements);
  std::vector<double> plain, krylov;
  double width = 0;
  const auto solve = [&](Acceleration acceleration) {
    const auto pair = dominant_eigenpair(
        a, {.tolerance = 1e-8, .max_rounds = 1000000, .acceleration = acceleration});
    if (!pair.converged) state.SkipWithError("not converged");
    width = std::max(width, (pair.upper - pair.lower) / pair.upper);
    state.counters[acceleration == Acceleration::none ? "plain_rounds" : "krylov_rounds"] =
        static_cast<double>(pair.rounds);
  };
  for (auto _ : state) {
    plain.push_back(seconds([&] { solve(Acceleration::none); }));
    krylov.push_back(seconds([&] { solve(Acceleration::krylov); }));
    state.SetIterationTime(krylov.back());
  }
  state.counters["plain_ms"] = 1e3 * median(plain);
  state.counters["krylov_ms"] = 1e3 * median(krylov);
  state.counters["ratio"] = median(plain) / median(krylov);
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
