// Choice: random products by the kernel that is chosen, and by each other that might be.
#include "choice.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"
#include "random_cases.hpp"

namespace tessera::bench {
namespace {

/// A variant with each of these tiles, and each number of work-groups that split k.
void add_sliced(const std::string& variant, std::initializer_list<std::string_view> tiles,
                std::vector<KernelChoice>& all) {
  for (const std::string_view tile : tiles) {
    for (const int groups : {1, 2, 4}) {
      all.push_back(parse_kernel(variant + " " + std::string(tile)));
      all.back().parameters["GROUPS_PER_CU"] = groups;
    }
  }
}

/// Every kernel that a model might choose on a GPU, with the parameters that it might set.
std::vector<KernelChoice> kernels_of_gpus() {
  std::vector<KernelChoice> all;
  for (const std::string_view text :
       {"bulk_copy TILE_M=128 TILE_N=128 WORK_N=16", "bulk_copy TILE_M=64 TILE_N=128 WORK_N=8",
        "bulk_copy TILE_M=128 TILE_N=64 WORK_N=8", "tensor_core_double TILE=64",
        "tensor_core_double TILE=128", "tensor_core_half TILE_N=64", "tensor_core_half TILE_N=128",
        "tensor_core_half TILE_N=192", "tensor_core_half TILE_N=256", "tensor_core_hopper",
        "mma_halves", "mma_int8", "mma_residues", "tensor_core_int8 TILE_N=64",
        "tensor_core_int8 TILE_N=128", "tensor_core_int8 TILE_N=192", "tensor_core_int8 TILE_N=256",
        "tensor_core_residues", "register_tiled"})
    all.push_back(parse_kernel(text));
  add_sliced("tensor_core", {"TILE_M=64 TILE_N=64", "TILE_M=128 TILE_N=128"}, all);
  add_sliced("sliced_k_double",
             {"TILE_M=64 TILE_N=64 WARP_M=32 WARP_N=32 TILE_K=16 SLICES=1 STAGES=3",
              "TILE_M=64 TILE_N=32 WARP_M=32 WARP_N=32 TILE_K=32 SLICES=2 STAGES=3",
              "TILE_M=32 TILE_N=128 WARP_M=32 WARP_N=32 TILE_K=16 SLICES=1 STAGES=3",
              "TILE_M=32 TILE_N=32 WARP_M=16 WARP_N=32 TILE_K=32 SLICES=2 STAGES=3"},
             all);
  add_sliced("sliced_k",
             {"TILE_M=64 TILE_N=128 WORK_M=8 WORK_N=8 TILE_K=16 SLICES=1",
              "TILE_M=64 TILE_N=64 WORK_M=8 WORK_N=8 TILE_K=32 SLICES=2",
              "TILE_M=32 TILE_N=128 WORK_M=8 WORK_N=8 TILE_K=16 SLICES=2",
              "TILE_M=64 TILE_N=64 WORK_M=4 WORK_N=8 TILE_K=16 SLICES=1",
              "TILE_M=64 TILE_N=32 WORK_M=8 WORK_N=4 TILE_K=32 SLICES=2",
              "TILE_M=16 TILE_N=128 WORK_M=4 WORK_N=8 TILE_K=16 SLICES=2",
              "TILE_M=32 TILE_N=32 WORK_M=4 WORK_N=4 TILE_K=32 SLICES=4",
              "TILE_M=16 TILE_N=16 WORK_M=4 WORK_N=4 TILE_K=64 SLICES=8"},
             all);
  return all;
}

/// The same on a CPU.
std::vector<KernelChoice> kernels_of_cpus() {
  std::vector<KernelChoice> all;
  for (const std::string_view text : {"packed", "packed KC=128", "packed KC=512", "packed NC=1536",
                                      "packed MC=96", "direct", "direct KC=256"})
    all.push_back(parse_kernel(text));
  return all;
}

/// A random product on an engine, by a kernel of choice.
template <class T>
class Product {
 public:
  Product(const Engine& engine, const Case& sizes)
      : sizes_(sizes),
        a_(stored(engine, is_transposed(sizes.op_a), sizes.m, sizes.k, 1)),
        b_(stored(engine, is_transposed(sizes.op_b), sizes.k, sizes.n, 2)),
        c_(engine, sizes.m, sizes.n + sizes.padding) {
    c_.upload(std::vector<ProductElement<T>>(c_.rows() * c_.columns()));
  }

  KernelRun run(const KernelChoice& kernel) {
    const ConstMatrixView<T> a = without_padding(a_, sizes_.padding),
                             b = without_padding(b_, sizes_.padding);
    return multiply_into(without_padding(c_, sizes_.padding),
                         is_transposed(sizes_.op_a) ? a.transposed() : a,
                         is_transposed(sizes_.op_b) ? b.transposed() : b,
                         {.beta = sizes_.beta, .kernel = kernel, .accuracy = sizes_.accuracy});
  }

  /// Microseconds of a whole call, of enough calls to take milliseconds.
  double microseconds(const KernelChoice& kernel) {
    constexpr double kEnough = 2e-3;
    const double once = seconds([&] { run(kernel).finished.wait(); });
    const int times = static_cast<int>(std::clamp(kEnough / once, 1.0, 100.0));
    return 1e6 / times * seconds([&] {
             for (int i = 0; i < times; i++) run(kernel).finished.wait();
           });
  }

 private:
  Matrix<T> stored(const Engine& engine, bool transposed, std::size_t rows, std::size_t columns,
                   unsigned seed) const {
    if (transposed) std::swap(rows, columns);
    columns += sizes_.padding;
    return {engine, rows, columns, random_elements<T>(rows * columns, seed)};
  }

  Case sizes_;
  Matrix<T> a_, b_;
  Matrix<ProductElement<T>> c_;
};

/// The kernels of `all` that compute the product here.
template <class T>
std::vector<KernelChoice> kernels_for(Product<T>& product, std::span<const KernelChoice> all) {
  std::vector<KernelChoice> some;
  for (const KernelChoice& kernel : all) {
    try {
      product.run(kernel).finished.wait();
      some.push_back(kernel);
    } catch (const Error&) {
      continue;  // another type's, another device's, or too large for its local memory
    }
  }
  return some;
}

/// 160 random products: what the chosen kernel takes longer than the best of all, in percent. With
/// TESSERA_BENCH_SHAPES in the environment, a line for each with every kernel's microseconds.
template <class T>
void random_choices(benchmark::State& state, Accuracy accuracy) {
  constexpr int kNumber = 160;
  constexpr int kRounds = 3;
  const Engine engine = engine_without_profile();
  const bool on_cpu = engine.device().type == DeviceType::cpu;
  const std::vector<KernelChoice> all = on_cpu ? kernels_of_cpus() : kernels_of_gpus();
  const bool prints = std::getenv("TESSERA_BENCH_SHAPES") != nullptr;
  RandomCases cases(on_cpu, accuracy, kRandomBeta<T>);
  for (auto _ : state) {
    double sum = 0, worst = 0;
    for (int i = 0; i < kNumber; i++) {
      const Case sizes = cases.next();
      Product<T> product(engine, sizes);
      std::vector<KernelChoice> kernels = kernels_for(product, all);
      kernels.insert(kernels.begin(), KernelChoice());
      std::vector<std::vector<double>> times(kernels.size());
      for (int round = 0; round < kRounds; round++) {
        for (std::size_t at = 0; at < kernels.size(); at++)
          times[at].push_back(product.microseconds(kernels[at]));
      }
      std::vector<double> medians;
      for (const auto& measured : times) medians.push_back(median(measured));
      const double loss = 100 * (medians[0] / std::ranges::min(medians) - 1);
      sum += loss;
      worst = std::max(worst, loss);
      if (!prints) continue;
      const KernelRun chosen = product.run({});
      std::printf("%s: %.1f %s; chosen %.1f", text_of(sizes).c_str(), loss,
                  to_string({chosen.variant(), chosen.parameters()}).c_str(), medians[0]);
      for (std::size_t at = 1; at < kernels.size(); at++)
        std::printf("; %s %.1f", to_string(kernels[at]).c_str(), medians[at]);
      std::printf("\n");
      std::fflush(stdout);
    }
    state.counters["mean_loss"] = sum / kNumber;
    state.counters["worst_loss"] = worst;
    state.SetLabel("seed " + std::to_string(seed_of_cases()));
    state.SetIterationTime(1);
  }
}

template <class T>
void add(const char* type, Accuracy accuracy = Accuracy::ieee) {
  benchmark::RegisterBenchmark(
      (std::string("Choice/") + type).c_str(),
      [accuracy](benchmark::State& state) { random_choices<T>(state, accuracy); })
      ->UseManualTime()
      ->Iterations(1);
}

}  // namespace

void register_choice() {
  add<float>("float");
  add<double>("double");
  if (engine_without_profile().device().type == DeviceType::cpu) return;
  add<half>("half");
  add<std::int8_t>("int8");
  add<float>("float_bounded", Accuracy::bounded);
  add<double>("double_bounded", Accuracy::bounded);
}

}  // namespace tessera::bench
