// MatrixVector: products of a matrix and a vector in both orders, as themselves and by way of
// multiply, beside the time that reading the matrix takes, in turn.
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

/// Seconds of each of as many products in a row as the bandwidth reads.
template <class Product>
double seconds_each(const Product& product) {
  constexpr int kProducts = 8;
  return seconds([&] {
           for (int i = 1; i < kProducts; i++) product();
           product().finished.wait();
         }) /
         kProducts;
}

void products(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(0)),
             k = static_cast<std::size_t>(state.range(1));
  const Engine engine;
  const auto a = random_matrix(engine, m, k);
  const std::vector<float> elements = a.to_host();
  const auto x = random_matrix(engine, k, 1), x_of_rows = random_matrix(engine, m, 1);
  Matrix<float> y(engine, m, 1), y_of_columns(engine, k, 1);
  const Bandwidth bandwidth(engine, elements);
  const double bytes = 4.0 * static_cast<double>(m * k + m + k);
  const auto rows = [&] { return matrix_vector_into(y, a, x); };
  const auto columns = [&, transposed = a.transposed()] {
    return matrix_vector_into(y_of_columns, transposed, x_of_rows);
  };
  const auto by_multiply = [&] { return multiply_into(y, a, x); };
  rows();
  columns();
  by_multiply();
  std::map<std::string, std::vector<double>> times;
  for (auto _ : state) {
    times["read"].push_back(bytes * bandwidth.seconds_a_byte());
    times["rows"].push_back(seconds_each(rows));
    times["columns"].push_back(seconds_each(columns));
    times["multiply"].push_back(seconds_each(by_multiply));
    state.SetIterationTime(times["rows"].back());
  }
  const double read = median(times["read"]);
  state.counters["GB/s"] = 1e-9 * bytes / read;
  for (const auto& [name, values] : times) {
    if (name != "read") state.counters[name + "_reads"] = median(values) / read;
  }
  state.SetLabel(engine.device().name);
}
BENCHMARK(products)
    ->Name("MatrixVector")
    ->Args({8192, 8192})
    ->Args({4096, 4096})
    ->Args({1024, 1024})
    ->Args({64, 1 << 20})
    ->Args({1 << 20, 64})
    ->UseManualTime()
    ->Iterations(15)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
