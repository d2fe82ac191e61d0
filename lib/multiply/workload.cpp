// Workloads of multiply: a product, and the sampled elements on which it is compared.
#include "multiply/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
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
using runtime::MatrixSize;

/// Multiply-adds of the reference: some tens of milliseconds on the host.
constexpr double kReferenceProducts = 0x1p26;
/// Elements that are compared, however deep a product is.
constexpr std::size_t kFewestElements = 256;

/// The exact elements of one product of a batch where some rows cross some columns, row by row, and
/// an error bound for each.
template <Element T>
struct Reference {
  reference::Crossings at;
  std::vector<double> values = {}, bounds = {};

  Reference(const Problem& problem, std::size_t product, const reference::Crossings& crossings,
            const reference::Generated<T>& a, const reference::Generated<T>& b)
      : at(crossings) {
    // Double is accumulated in long double, integers modulo 2^32.
    using Sum = std::conditional_t<std::is_same_v<T, double>, long double, double>;
    const std::size_t count = at.rows.size() * at.columns.size(), m = problem.m, n = problem.n,
                      k = problem.k, in_a = product * m * k, in_b = product * k * n;
    std::vector<Sum> sums(count, 0), magnitudes(count, 0);
    std::vector<std::uint32_t> exact(std::integral<T> ? count : 0, 0);
    std::vector<T> row_of_b(at.columns.size());
    for (std::size_t p = 0; p < k; p++) {
      for (std::size_t j = 0; j < at.columns.size(); j++)
        row_of_b[j] =
            b[in_b + (problem.transpose_b ? at.columns[j] * k + p : p * n + at.columns[j])];
      for (std::size_t i = 0; i < at.rows.size(); i++) {
        const T factor = a[in_a + (problem.transpose_a ? p * m + at.rows[i] : at.rows[i] * k + p)];
        const std::size_t first = i * at.columns.size();
        for (std::size_t j = 0; j < at.columns.size(); j++) {
          if constexpr (std::integral<T>) {
            exact[first + j] +=
                static_cast<std::uint32_t>(factor) * static_cast<std::uint32_t>(row_of_b[j]);
          } else {
            const Sum product_of_two = static_cast<Sum>(widened(factor)) * widened(row_of_b[j]);
            sums[first + j] += product_of_two;
            magnitudes[first + j] += std::fabs(product_of_two);
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
        bounds[e] = error_bound<T>({k, static_cast<double>(magnitudes[e])}, values[e],
                                   problem.mode.accuracy);
      }
    }
  }
};

/// All of a batch's matrices, as they are stored.
template <Element T>
MatrixSize size_of_a(const Problem& problem) {
  const auto [rows, columns] =
      problem.transpose_a ? std::pair(problem.k, problem.m) : std::pair(problem.m, problem.k);
  return {problem.batch * rows, columns, sizeof(T)};
}

template <Element T>
MatrixSize size_of_b(const Problem& problem) {
  const auto [rows, columns] =
      problem.transpose_b ? std::pair(problem.n, problem.k) : std::pair(problem.k, problem.n);
  return {problem.batch * rows, columns, sizeof(T)};
}

template <Element T>
class ProductWorkload : public kernels::Workload {
 public:
  ProductWorkload(const Engine& engine, const Problem& problem, std::uint64_t seed,
                  ProductFunction<T> product)
      : product_(product),
        problem_(problem),
        seed_(seed),
        numbers_of_a_(seed),
        numbers_of_b_(~seed),
        a_(made(engine, numbers_of_a_, size_of_a<T>(problem))),
        b_(made(engine, numbers_of_b_, size_of_b<T>(problem))),
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
    if (references_.empty()) make_references();
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t elements = problem_.batch * problem_.m * problem_.n;
    const std::size_t by_chance = std::integral<T> ? elements >> 22 : 0;
    if (const std::size_t unwritten = c_.unwritten(); unwritten > by_chance)
      return fmt::format("{} of {} elements were not written, or are NaN", unwritten, elements);
    // Of a batch all rows are read at once, of which each product has few.
    const bool whole = problem_.batch > 1 || 2 * references_.front().at.rows.size() >= problem_.m;
    const auto all = whole ? c_.elements() : std::vector<ProductElement<T>>();
    for (std::size_t product = 0; product < references_.size(); product++) {
      if (auto failure = failure_of(product, all); !failure.empty()) return failure;
    }
    return c_.guards_intact() ? "" : reference::kOutsideWritten;
  }

 private:
  static Matrix<T> made(const Engine& engine, const reference::Generated<T>& numbers,
                        const MatrixSize& size) {
    return numbers.matrix(engine, size.rows, size.columns);
  }

  /// For each product other crossings: of one as many as the cost limit allows, so that every tile
  /// contains some.
  void make_references() {
    const std::size_t batch = problem_.batch;
    const double depth = static_cast<double>(std::max<std::size_t>(problem_.k, 1));
    const double count =
        std::max(kReferenceProducts / depth, double{kFewestElements}) / static_cast<double>(batch);
    for (std::size_t product = 0; product < batch; product++) {
      const reference::Crossings at(problem_.m, problem_.n, count, seed_ + product);
      references_.emplace_back(problem_, product, at, numbers_of_a_, numbers_of_b_);
    }
  }

  /// What is wrong with a product; empty if nothing. `all` has every row, or none.
  std::string failure_of(std::size_t product, const std::vector<ProductElement<T>>& all) {
    const auto& [at, values, bounds] = references_[product];
    const std::size_t columns = at.columns.size();
    std::vector<ProductElement<T>> one;
    for (std::size_t i = 0; i < at.rows.size(); i++) {
      const std::size_t index = product * problem_.m + at.rows[i];
      const ProductElement<T>* const row =
          all.empty() ? (one = c_.row(index)).data() : all.data() + index * problem_.n;
      for (std::size_t j = 0; j < columns; j++) {
        const double computed = widened(row[at.columns[j]]);
        const double exact = values[i * columns + j], bound = bounds[i * columns + j];
        if (!(std::fabs(computed - exact) <= bound))
          return fmt::format("element ({}, {}){} is {} instead of {}, error bound {:.3g}",
                             at.rows[i], at.columns[j],
                             problem_.batch == 1 ? "" : fmt::format(" of product {}", product),
                             computed, exact, bound);
      }
    }
    return "";
  }

  ProductFunction<T> product_;
  Problem problem_;
  std::uint64_t seed_;
  reference::Generated<T> numbers_of_a_, numbers_of_b_;
  Matrix<T> a_, b_;
  reference::Output<ProductElement<T>> c_;
  std::vector<Reference<T>> references_;
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

std::vector<MatrixSize> product_matrices(const Problem& problem) {
  return operands::with_type(problem.type, [&](auto zero) -> std::vector<MatrixSize> {
    using T = decltype(zero);
    using Output = reference::Output<ProductElement<T>>;
    return {size_of_a<T>(problem), size_of_b<T>(problem),
            Output::size(problem.batch * problem.m, problem.n)};
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
