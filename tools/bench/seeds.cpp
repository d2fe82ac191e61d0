// The documents' tables: each kernel at their sizes, beside the milliseconds that they published
// for an Intel Xeon E5-2686 v4 (or a Skylake Xeon: products) and for an Intel Iris Xe MAX.
#include "seeds.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "parts.hpp"

namespace tessera::bench {
namespace {

/// Milliseconds at one size.
struct Published {
  std::int64_t size;
  double cpu, gpu;
};

/// Makes the operands of a size; what it returns runs the kernel once and gives its seconds.
using Run = std::function<double()>;
using Prepare = std::function<Run(const Engine&, std::size_t)>;

struct Table {
  const char* name;
  Prepare prepare;
  std::vector<Published> published;
};

double seconds_of(const KernelRun& run) { return run.seconds().value_or(0); }

Prepare row_sums(const char* variant) {
  return [variant](const Engine& engine, std::size_t n) -> Run {
    return [=, a = random_matrix(engine, n, n), s = Matrix<float>(engine, n, 1)]() mutable {
      return seconds_of(row_sum(s, a, {.kernel = {variant, {}}}));
    };
  };
}

Prepare maxima(const char* variant) {
  return [variant](const Engine& engine, std::size_t n) -> Run {
    return [=, x = random_matrix(engine, n, 1), maximum = Matrix<float>(engine, 1, 1)]() mutable {
      return seconds_of(vector_max(maximum, x, {.kernel = {variant, {}}}));
    };
  };
}

Prepare eigenvectors(const char* variant) {
  return [variant](const Engine& engine, std::size_t n) -> Run {
    return [=, s = random_matrix(engine, n, 1), v = random_matrix(engine, n, 1),
            maximum = Matrix<float>(engine, {{1}})]() mutable {
      return seconds_of(eigenvector(v, s, maximum, {.kernel = {variant, {}}}));
    };
  };
}

Run next_matrix(const Engine& engine, std::size_t n) {
  return [a = random_matrix(engine, n, n), b = Matrix<float>(engine, n, n),
          s = random_matrix(engine, n, 1)]() mutable {
    return seconds_of(similarity_transform(b, a, s, {.kernel = {"cached", {}}}));
  };
}

Run stop_test(const Engine& engine, std::size_t n) {
  return
      [s = random_matrix(engine, n, 1), converged = Matrix<std::int32_t>(engine, 1, 1)]() mutable {
        return seconds_of(stop(converged, s, 1e-3, {.kernel = {"subgroup_local", {}}}));
      };
}

/// The whole pipeline on a Hilbert matrix, with the document's stop test.
Prepare pipeline(EigenMethod method) {
  return [method](const Engine& engine, std::size_t n) -> Run {
    return [=, a = Matrix<float>(engine, n, n, hilbert(n))] {
      const auto pair = dominant_eigenpair(a, {.method = method, .stop = StopTest::neighbours});
      return pair.seconds().value_or(0);
    };
  };
}

Prepare products(const char* variant) {
  return [variant](const Engine& engine, std::size_t n) -> Run {
    return [=, a = random_matrix(engine, n, n), c = Matrix<float>(engine, n, n)]() mutable {
      return seconds_of(multiply_into(c, a, a, {.kernel = {variant, {}}}));
    };
  };
}

/// Figures at sizes that double from `first` on.
std::vector<Published> from(std::int64_t first, const std::vector<double>& cpu,
                            const std::vector<double>& gpu) {
  std::vector<Published> all;
  for (std::size_t i = 0; i < cpu.size(); i++) all.push_back({first << i, cpu[i], gpu[i]});
  return all;
}

std::vector<Table> tables() {
  const std::vector<double> cpu = {11, 6, 17, 54, 213, 911, 4052};
  const std::vector<double> gpu = {13, 9, 14, 35, 130, 535, 2373};
  return {{"multiply_v0_naive", products("naive"), {{1024, 519, 225}}},
          {"multiply_v1_row_tile", products("row_tile"), {{1024, 330, 21}}},
          {"multiply_v2_subgroup_broadcast", products("subgroup_broadcast"), {{1024, 119, 18}}},
          {"row_sum_v0_atomic", row_sums("atomic"),
           from(128, {2.688, 0.602, 1.294, 5.474, 20.816, 79.719, 315.3},
                {7.844, 47.783, 298.784, 1652.19, 7182.5, 35201.8, 191747})},
          {"row_sum_v1_subgroup", row_sums("subgroup"),
           from(128, {1.235, 0.219, 0.363, 1.04, 3.746, 14.896, 59.13},
                {0.536, 0.531, 1.395, 5.726, 22.359, 101.141, 502.316})},
          {"row_sum_v2_subgroup_local", row_sums("subgroup_local"),
           from(128, {0.23, 0.431, 0.683, 2.12, 8.167, 32.721, 126.747},
                {0.617, 0.624, 1.378, 3.934, 14.186, 54.654, 220.202})},
          {"vector_max_v0_atomic", maxima("atomic"),
           from(65536, {0.153, 0.207, 0.319, 0.54, 0.981, 1.853, 3.622, 7.379, 14.867, 28.477},
                {0.588, 0.758, 1.096, 1.832, 3.315, 6.373, 12.108, 23.492, 46.511, 91.242})},
          {"vector_max_v1_subgroup", maxima("subgroup"),
           from(65536, {0.149, 0.197, 0.303, 0.509, 0.928, 1.756, 3.421, 7.159, 14.027, 27.881},
                {0.459, 0.609, 0.815, 1.2, 2.101, 3.853, 7.278, 13.92, 26.941, 53.695})},
          {"vector_max_v2_subgroup_local", maxima("subgroup_local"),
           from(65536, {0.217, 0.328, 0.506, 0.873, 1.439, 2.78, 5.298, 11.136, 22.701, 44.979},
                {0.475, 0.613, 0.834, 1.222, 2.155, 3.893, 7.303, 13.961, 27.154, 53.736})},
          {"eigenvector_v0_direct", eigenvectors("direct"),
           from(65536, {1.057, 0.122, 0.169, 0.236, 0.397, 0.71, 1.682, 4.186, 8.177, 16.149},
                {0.096, 0.107, 0.109, 0.153, 0.295, 0.437, 0.902, 1.754, 3.447, 6.827})},
          {"eigenvector_v1_broadcast", eigenvectors("broadcast"),
           from(65536, {0.124, 0.134, 0.167, 0.262, 0.382, 0.828, 1.878, 4.164, 8.156, 16.293},
                {0.1, 0.11, 0.112, 0.18, 0.301, 0.496, 0.885, 1.733, 3.497, 6.904})},
          {"next_matrix", next_matrix,
           from(128, {0.152, 0.23, 0.504, 1.699, 6.497, 25.806, 103.048},
                {0.059, 0.064, 0.092, 0.192, 0.594, 2.412, 9.962})},
          {"stop", stop_test,
           from(65536, {0.707, 0.85, 1.435, 2.615, 5.072, 9.812, 19.469, 38.686, 77.394, 154.021},
                {0.676, 0.634, 0.84, 1.248, 2.246, 3.964, 7.339, 13.655, 26.739, 54.011})},
          {"pipeline_explicit", pipeline(EigenMethod::explicit_steps), from(128, cpu, gpu)},
          {"pipeline_fused", pipeline(EigenMethod::fused), from(128, cpu, gpu)},
          {"pipeline_implicit", pipeline(EigenMethod::implicit), from(128, cpu, gpu)}};
}

void measure(benchmark::State& state, const Prepare& prepare, const Published& published) {
  try {
    const Engine engine(EngineOptions{.profiling = true});
    const Run run = prepare(engine, static_cast<std::size_t>(published.size));
    run();
    for (auto _ : state) state.SetIterationTime(run());
    state.counters["published_cpu_ms"] = published.cpu;
    state.counters["published_gpu_ms"] = published.gpu;
    state.SetLabel(engine.device().name);
  } catch (const Error& error) {  // a device may have too little memory, or not the kernel
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_seeds() {
  for (const Table& table : tables()) {
    for (const Published& published : table.published) {
      const std::string name =
          std::string("Seeds/") + table.name + "/" + std::to_string(published.size);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [prepare = table.prepare, published](benchmark::State& state) {
                                     measure(state, prepare, published);
                                   })
          ->UseManualTime()
          ->MinTime(0.1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace tessera::bench
