// Workloads of multiply: a product with the reference of some of its rows.
#include "multiply/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "kernels/element.hpp"
#include "multiply/bound.hpp"
#include "multiply/guarded.hpp"
#include "reference/output.hpp"
#include "tessera/multiply.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// Products of the reference: a fraction of a second on a host.
constexpr double kReferenceProducts = 1e8;

/// A row of the reference.
struct Row {
  std::size_t index;
  std::vector<double> values, bounds;
};

/// All rows of a small product; of a large one the first, the last, and random ones between.
std::vector<std::size_t> sample_rows(const TuneProblem& problem, std::mt19937_64& random) {
  const double row = static_cast<double>(problem.columns) * static_cast<double>(problem.k);
  const auto maximum = static_cast<std::size_t>(std::max(8.0, kReferenceProducts / row));
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < problem.rows; i++) rows.push_back(i);
  if (rows.size() > maximum) {
    std::shuffle(rows.begin() + 1, rows.end() - 1, random);
    std::swap(rows[1], rows.back());
    rows.resize(maximum);
    std::ranges::sort(rows);
  }
  return rows;
}

template <Element T>
class ProductWorkload : public kernels::Workload {
 public:
  ProductWorkload(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : ProductWorkload(engine, problem, std::mt19937_64(seed)) {}

  KernelRun run(const KernelChoice& kernel) override {
    MultiplyOptions<T> options;
    options.transpose_a = problem_.transpose_a;
    options.transpose_b = problem_.transpose_b;
    options.kernel = kernel;
    return multiply_into(c_.view(), a_, b_, options);
  }

  std::string check(const KernelChoice& kernel) override {
    c_.poison();
    run(kernel).finished.wait();
    std::string failure;
    const auto c = c_.read(failure);
    const std::size_t n = problem_.columns;
    for (std::size_t e = 0; e < c.size(); e++) {
      if (is_poison(c[e])) return fmt::format("element ({}, {}) was not written", e / n, e % n);
    }
    for (const Row& row : reference_) {
      if (const auto wrong = compare(row, c.data() + row.index * n); !wrong.empty()) return wrong;
    }
    return failure;
  }

 private:
  ProductWorkload(const Engine& engine, const TuneProblem& problem, std::mt19937_64 random)
      : problem_(problem), c_(engine, problem.rows, problem.columns) {
    const auto a = random_elements<T>(problem.rows * problem.k, random);
    const auto b = random_elements<T>(problem.k * problem.columns, random);
    for (const std::size_t i : sample_rows(problem, random)) reference_.push_back(row(a, b, i));
    const auto shaped = [&](const std::vector<T>& elements, std::size_t rows, std::size_t columns,
                            bool transposed) {
      if (transposed) std::swap(rows, columns);
      return Matrix<T>(engine, rows, columns, elements);
    };
    a_ = shaped(a, problem.rows, problem.k, problem.transpose_a);
    b_ = shaped(b, problem.k, problem.columns, problem.transpose_b);
  }

  static bool is_poison(T element) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return false;  // any number can be a result: rows of the reference tell
    } else {
      return std::isnan(widened(element));
    }
  }

  /// Row i of the product, in double; double products in long double, int32 modulo 2^32.
  Row row(const std::vector<T>& a, const std::vector<T>& b, std::size_t i) const {
    using Sum = std::conditional_t<std::is_same_v<T, double>, long double, double>;
    const auto& [operation, type, m, n, k, transpose_a, transpose_b] = problem_;
    std::vector<Sum> sums(n, 0), magnitudes(n, 0);
    std::vector<std::uint32_t> exact(n, 0);
    for (std::size_t p = 0; p < k; p++) {
      const T factor = a[transpose_a ? p * m + i : i * k + p];
      for (std::size_t j = 0; j < n; j++) {
        const T other = b[transpose_b ? j * k + p : p * n + j];
        if constexpr (std::is_same_v<T, std::int32_t>) {
          exact[j] += static_cast<std::uint32_t>(factor) * static_cast<std::uint32_t>(other);
        } else {
          const Sum product = static_cast<Sum>(widened(factor)) * widened(other);
          sums[j] += product;
          magnitudes[j] += std::fabs(product);
        }
      }
    }
    Row row{i, std::vector<double>(n), std::vector<double>(n, 0.0)};
    for (std::size_t j = 0; j < n; j++) {
      if constexpr (std::is_same_v<T, std::int32_t>) {
        row.values[j] = static_cast<std::int32_t>(exact[j]);
      } else {
        row.values[j] = static_cast<double>(sums[j]);
        row.bounds[j] = error_bound<T>(k, row.values[j], static_cast<double>(magnitudes[j]), 0);
      }
    }
    return row;
  }

  static std::string compare(const Row& row, const T* computed) {
    for (std::size_t j = 0; j < row.values.size(); j++) {
      const double error = std::fabs(widened(computed[j]) - row.values[j]);
      if (!(error <= row.bounds[j])) {
        return fmt::format("element ({}, {}) is {} instead of {}, error bound {:.3g}", row.index, j,
                           widened(computed[j]), row.values[j], row.bounds[j]);
      }
    }
    return {};
  }

  TuneProblem problem_;
  std::vector<Row> reference_;
  reference::Output<T> c_;
  Matrix<T> a_{MatrixLayout{}}, b_{MatrixLayout{}};
};

}  // namespace

std::unique_ptr<kernels::Workload> make_multiply_workload(const Engine& engine,
                                                          const TuneProblem& problem,
                                                          std::uint64_t seed) {
  switch (problem.type) {
    case ElementType::float64:
      return std::make_unique<ProductWorkload<double>>(engine, problem, seed);
    case ElementType::int32:
      return std::make_unique<ProductWorkload<std::int32_t>>(engine, problem, seed);
    case ElementType::float16:
      return std::make_unique<ProductWorkload<half>>(engine, problem, seed);
    case ElementType::float32: break;
  }
  return std::make_unique<ProductWorkload<float>>(engine, problem, seed);
}

Work multiply_work(const TuneProblem& problem) {
  const double m = static_cast<double>(problem.rows), n = static_cast<double>(problem.columns),
               k = static_cast<double>(problem.k);
  return {2 * m * n * k,
          static_cast<double>(kernels::element_size(problem.type)) * (m * k + k * n + m * n)};
}

std::vector<MultiplyCase> last_multiply_cases(const TuneProblem& problem, std::uint64_t seed) {
  constexpr std::array<std::array<std::size_t, 3>, 9> kSizes = {{{1, 1, 1},
                                                                 {2, 3, 5},
                                                                 {127, 129, 131},
                                                                 {333, 251, 77},
                                                                 {1031, 3, 17},
                                                                 {5, 1033, 19},
                                                                 {1, 515, 260},
                                                                 {517, 1, 130},
                                                                 {7, 9, 2049}}};
  std::vector<MultiplyCase> all;
  for (const auto& [m, n, k] : kSizes) {
    const std::size_t turn = 1 + all.size() / 2 % 3;
    for (const std::size_t other : {std::size_t{0}, turn}) {
      all.push_back({.rows = m,
                     .columns = n,
                     .k = k,
                     .transpose_a = problem.transpose_a != (other % 2 == 1),
                     .transpose_b = problem.transpose_b != (other >= 2),
                     .strided = k % 2 == 0,
                     .seed = seed++});
    }
  }
  return all;
}

}  // namespace tessera::inline v0::multiplication
