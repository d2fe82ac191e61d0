// Workloads of multiply: a product, and the sampled elements on which it is compared.
#include "multiply/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "multiply/product_function.hpp"
#include "operands/element.hpp"
#include "reference/bound.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using reference::error_bound;
using reference::widened;

/// Multiply-adds of the reference: some tens of milliseconds on the host.
constexpr double kReferenceProducts = 0x1p26;

/// Rows and columns of c at whose crossings it is compared: as many of each as the cost limit of
/// the reference allows, so that every tile contains some.
struct Crossings {
  std::vector<std::size_t> rows, columns;

  Crossings(const Problem& problem, std::uint64_t seed) {
    const auto [m, n, k] = std::array{problem.m, problem.n, problem.k};
    const double count = kReferenceProducts / static_cast<double>(std::max<std::size_t>(k, 1));
    const auto edge = std::max<std::size_t>(16, static_cast<std::size_t>(std::sqrt(count)));
    // What one dimension does not use goes to the other.
    const auto rest = [&](std::size_t used) {
      return std::max(edge, static_cast<std::size_t>(count / static_cast<double>(used + 1)));
    };
    rows = reference::sample(m, n < edge ? rest(n) : edge, seed);
    columns = reference::sample(n, m < edge ? rest(m) : edge, seed + 1);
  }
};

/// The exact elements at the crossings, row by row, and an error bound for each.
template <Element T>
struct Reference {
  std::vector<double> values, bounds;

  Reference(const Problem& problem, const Crossings& at, const reference::Generated<T>& a,
            const reference::Generated<T>& b) {
    // Double is accumulated in long double, integers modulo 2^32.
    using Sum = std::conditional_t<std::is_same_v<T, double>, long double, double>;
    const std::size_t count = at.rows.size() * at.columns.size();
    std::vector<Sum> sums(count, 0), magnitudes(count, 0);
    std::vector<std::uint32_t> exact(std::integral<T> ? count : 0, 0);
    std::vector<T> row_of_b(at.columns.size());
    for (std::size_t p = 0; p < problem.k; p++) {
      for (std::size_t j = 0; j < at.columns.size(); j++)
        row_of_b[j] =
            b[problem.transpose_b ? at.columns[j] * problem.k + p : p * problem.n + at.columns[j]];
      for (std::size_t i = 0; i < at.rows.size(); i++) {
        const T factor =
            a[problem.transpose_a ? p * problem.m + at.rows[i] : at.rows[i] * problem.k + p];
        const std::size_t first = i * at.columns.size();
        for (std::size_t j = 0; j < at.columns.size(); j++) {
          if constexpr (std::integral<T>) {
            exact[first + j] +=
                static_cast<std::uint32_t>(factor) * static_cast<std::uint32_t>(row_of_b[j]);
          } else {
            const Sum product = static_cast<Sum>(widened(factor)) * widened(row_of_b[j]);
            sums[first + j] += product;
            magnitudes[first + j] += std::fabs(product);
          }
        }
      }
    }
    values.resize(count);
    bounds.resize(count, 0);
    for (std::size_t e = 0; e < count; e++) {
      if constexpr (std::integral<T>) {
        values[e] = static_cast<std::int32_t>(exact[e]);
      } else {
        values[e] = static_cast<double>(sums[e]);
        bounds[e] = error_bound<T>({problem.k, static_cast<double>(magnitudes[e])}, values[e],
                                   problem.mode.accuracy);
      }
    }
  }
};

template <Element T>
class ProductWorkload : public kernels::Workload {
 public:
  ProductWorkload(const Engine& engine, const Problem& problem, std::uint64_t seed,
                  ProductFunction<T> product)
      : product_(product),
        problem_(problem),
        crossings_(problem, seed),
        numbers_of_a_(seed),
        numbers_of_b_(~seed),
        a_(made(engine, numbers_of_a_, problem.m, problem.k, problem.transpose_a, problem.batch)),
        b_(made(engine, numbers_of_b_, problem.k, problem.n, problem.transpose_b, problem.batch)),
        c_(engine, problem.batch * problem.m, problem.n) {}

  KernelRun run(const KernelChoice& kernel) override {
    MultiplyOptions<T> options;
    options.transpose_a = problem_.transpose_a;
    options.transpose_b = problem_.transpose_b;
    options.kernel = kernel;
    options.accuracy = problem_.mode.accuracy;
    return product_(batch_of<ProductElement<T>>(c_.view(), problem_.batch),
                    batch_of<T>(a_, problem_.batch), batch_of<T>(b_, problem_.batch), options);
  }
  void poison() override { c_.poison(); }

  std::string compare() override {
    if (!reference_) reference_.emplace(problem_, crossings_, numbers_of_a_, numbers_of_b_);
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t elements = problem_.batch * problem_.m * problem_.n;
    const std::size_t by_chance = std::integral<T> ? elements >> 22 : 0;
    if (const std::size_t unwritten = c_.unwritten(); unwritten > by_chance)
      return fmt::format("{} of {} elements were not written, or are NaN", unwritten, elements);
    const std::size_t columns = crossings_.columns.size();
    // In a batch only the first product is compared; all are checked for unwritten elements.
    const bool whole = problem_.batch == 1 && 2 * crossings_.rows.size() >= problem_.m;
    const auto all = whole ? c_.elements() : std::vector<ProductElement<T>>();
    std::vector<ProductElement<T>> one;
    for (std::size_t i = 0; i < crossings_.rows.size(); i++) {
      const ProductElement<T>* const row = all.empty()
                                               ? (one = c_.row(crossings_.rows[i])).data()
                                               : all.data() + crossings_.rows[i] * problem_.n;
      for (std::size_t j = 0; j < columns; j++) {
        const double computed = widened(row[crossings_.columns[j]]);
        const double exact = reference_->values[i * columns + j];
        const double bound = reference_->bounds[i * columns + j];
        if (!(std::fabs(computed - exact) <= bound))
          return fmt::format("element ({}, {}) is {} instead of {}, error bound {:.3g}",
                             crossings_.rows[i], crossings_.columns[j], computed, exact, bound);
      }
    }
    return c_.guards_intact() ? "" : reference::kOutsideWritten;
  }

 private:
  static Matrix<T> made(const Engine& engine, const reference::Generated<T>& numbers,
                        std::size_t rows, std::size_t columns, bool transposed, std::size_t batch) {
    if (transposed) std::swap(rows, columns);
    return numbers.matrix(engine, batch * rows, columns);
  }

  ProductFunction<T> product_;
  Problem problem_;
  Crossings crossings_;
  reference::Generated<T> numbers_of_a_, numbers_of_b_;
  Matrix<T> a_, b_;
  reference::Output<ProductElement<T>> c_;
  std::optional<Reference<T>> reference_;
};

}  // namespace

std::unique_ptr<kernels::Workload> make_multiply_workload(const Engine& engine,
                                                          const Problem& problem,
                                                          std::uint64_t seed) {
  return operands::with_type(problem.type, [&](auto zero) -> std::unique_ptr<kernels::Workload> {
    using T = decltype(zero);
    return std::make_unique<ProductWorkload<T>>(engine, problem, seed, multiply_batched_into<T>);
  });
}

std::unique_ptr<kernels::Workload> make_matrix_vector_workload(const Engine& engine,
                                                               const Problem& problem,
                                                               std::uint64_t seed) {
  return operands::with_type(problem.type, [&](auto zero) -> std::unique_ptr<kernels::Workload> {
    using T = decltype(zero);
    return std::make_unique<ProductWorkload<T>>(engine, problem, seed,
                                                matrix_vector_function<T>(problem));
  });
}

Work multiply_work(const Problem& problem) {
  const double m = static_cast<double>(problem.m), n = static_cast<double>(problem.n),
               k = static_cast<double>(problem.k);
  const double batch = static_cast<double>(problem.batch);
  const double element = static_cast<double>(operands::element_size(problem.type)),
               output = static_cast<double>(operands::output_size(problem.type));
  return {2 * batch * m * n * k, batch * (element * (m * k + k * n) + output * m * n)};
}

}  // namespace tessera::inline v0::multiplication
