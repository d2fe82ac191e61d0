// Workloads of multiply: a product, and the sampled elements on which it is compared.
#include "multiply/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "multiply/product_function.hpp"
#include "multiply/run.hpp"
#include "operands/numbers.hpp"
#include "reference/bound.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using reference::Generated;

/// Multiply-adds of the reference: some tens of milliseconds on the host.
constexpr double kReferenceProducts = 0x1p26;
/// Elements that are compared, however deep a product is.
constexpr std::size_t kFewestElements = 256;

/// The exact elements of one product of a batch where some rows cross some columns, row by row, and
/// an error bound for each; complex elements as their parts.
struct Reference {
  reference::Crossings at;
  std::size_t parts;
  std::vector<double> values = {}, bounds = {};

  Reference(const Problem& problem, std::size_t product, const reference::Crossings& crossings,
            const Generated& a, const Generated& b)
      : at(crossings), parts(operands::parts_of(problem.types.a)) {
    values.resize(count() * parts);
    bounds.resize(values.size(), 0);
    if (operands::is_integer(problem.types.a)) {
      sum_integers(problem, product, a, b);
    } else if (operands::part_type(problem.types.sum) == ElementType::float64) {
      sum<long double>(problem, product, a, b);
    } else {
      sum<double>(problem, product, a, b);
    }
  }

 private:
  std::size_t count() const { return at.rows.size() * at.columns.size(); }

  /// The element at an index, whose imaginary part is 0 if it is real.
  std::complex<double> element(const Generated& of, std::size_t index, Op op) const {
    if (parts == 1) return of[index];
    const double imaginary = of[2 * index + 1];
    return {of[2 * index], is_conjugated(op) ? -imaginary : imaginary};
  }

  /// Calls `add(element, a's factor, b's factor)` for every product of every element.
  template <class Add>
  void for_each_product(const Problem& problem, std::size_t product, const Generated& a,
                        const Generated& b, Add&& add) const {
    const std::size_t m = problem.m, n = problem.n, k = problem.k, in_a = product * m * k,
                      in_b = product * k * n, columns = at.columns.size();
    std::vector<std::complex<double>> row_of_b(columns);
    for (std::size_t p = 0; p < k; p++) {
      for (std::size_t j = 0; j < columns; j++)
        row_of_b[j] = element(
            b, in_b + (is_transposed(problem.op_b) ? at.columns[j] * k + p : p * n + at.columns[j]),
            problem.op_b);
      for (std::size_t i = 0; i < at.rows.size(); i++) {
        const auto factor = element(
            a, in_a + (is_transposed(problem.op_a) ? p * m + at.rows[i] : at.rows[i] * k + p),
            problem.op_a);
        for (std::size_t j = 0; j < columns; j++) add(i * columns + j, factor, row_of_b[j]);
      }
    }
  }

  /// Modulo 2^32.
  void sum_integers(const Problem& problem, std::size_t product, const Generated& a,
                    const Generated& b) {
    std::vector<std::uint32_t> sums(count(), 0);
    const auto bits = [](const std::complex<double>& number) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(number.real()));
    };
    for_each_product(problem, product, a, b,
                     [&](std::size_t e, const auto& left, const auto& right) {
                       sums[e] += bits(left) * bits(right);
                     });
    for (std::size_t e = 0; e < sums.size(); e++) values[e] = static_cast<std::int32_t>(sums[e]);
  }

  template <class Sum>
  void sum(const Problem& problem, std::size_t product, const Generated& a, const Generated& b) {
    std::vector<Sum> sums(values.size(), 0), magnitudes(count(), 0);
    for_each_product(
        problem, product, a, b, [&](std::size_t e, const auto& left, const auto& right) {
          const Sum left_real = left.real(), left_imaginary = left.imag();
          if (parts == 1) {
            sums[e] += left_real * right.real();
            magnitudes[e] += std::fabs(left_real * right.real());
            return;
          }
          sums[2 * e] += left_real * right.real() - left_imaginary * right.imag();
          sums[2 * e + 1] += left_real * right.imag() + left_imaginary * right.real();
          magnitudes[e] += std::sqrt(static_cast<Sum>(std::norm(left)) * std::norm(right));
        });
    for (std::size_t e = 0; e < sums.size(); e++) {
      values[e] = static_cast<double>(sums[e]);
      bounds[e] = reference::error_bound(problem.types,
                                         {problem.k, static_cast<double>(magnitudes[e / parts])},
                                         values[e], problem.mode.accuracy);
    }
  }
};

class ProductWorkload : public kernels::Workload {
 public:
  ProductWorkload(const Engine& engine, const Problem& problem, std::uint64_t seed, MakeCall make)
      : make_(make),
        problem_(problem),
        seed_(seed),
        numbers_of_a_(problem.types.a, seed),
        numbers_of_b_(problem.types.b, ~seed),
        a_(made(engine, numbers_of_a_, problem.m, problem.k, problem.op_a)),
        b_(made(engine, numbers_of_b_, problem.k, problem.n, problem.op_b)),
        c_(engine, problem.types.c, problem.batch * problem.m, problem.n) {}

  KernelRun run(const kernels::SharedPlan& plan) override {
    const Call call = make_(detail::batch_of(c_.operand(), problem_.batch), a_, b_,
                            {.accuracy = problem_.mode.accuracy});
    return runtime::with_opencl_errors([&] { return run_plan(plan, *c_.operand().stream, call); },
                                       [&] { return problem_.operation; });
  }
  void poison() override { c_.poison(); }

  std::string compare() override {
    if (references_.empty()) make_references();
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t elements = problem_.batch * problem_.m * problem_.n;
    const std::size_t by_chance = operands::is_integer(problem_.types.c) ? elements >> 22 : 0;
    if (const std::size_t unwritten = c_.unwritten(); unwritten > by_chance)
      return fmt::format("{} of {} elements were not written, or are NaN", unwritten, elements);
    // All rows of a batch are read at once because each product has few.
    const bool whole = problem_.batch > 1 || 2 * references_.front().at.rows.size() >= problem_.m;
    const auto all = whole ? c_.elements() : std::vector<double>();
    for (std::size_t product = 0; product < references_.size(); product++) {
      if (auto failure = failure_of(product, all); !failure.empty()) return failure;
    }
    return c_.guards_intact() ? "" : reference::kOutsideWritten;
  }

 private:
  /// A batch whose matrices are `rows` x `columns` after `op`.
  detail::Batch made(const Engine& engine, const Generated& numbers, std::size_t rows,
                     std::size_t columns, Op op) const {
    if (is_transposed(op)) std::swap(rows, columns);
    auto batch =
        detail::batch_of(numbers.matrix(engine, problem_.batch * rows, columns), problem_.batch);
    batch.first = detail::viewed(batch.first, op);
    return batch;
  }

  /// Makes a reference for each product, at crossings of its own. A single product has as many
  /// crossings as the cost limit allows, so that every tile contains some.
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

  /// The first failure of a product; empty if there is none. `all` has every row, or none.
  std::string failure_of(std::size_t product, const std::vector<double>& all) const {
    const Reference& right = references_[product];
    const std::size_t parts = right.parts, columns = right.at.columns.size() * parts;
    std::vector<double> one;
    for (std::size_t i = 0; i < right.at.rows.size(); i++) {
      const std::size_t index = product * problem_.m + right.at.rows[i];
      const double* const row =
          all.empty() ? (one = c_.row(index)).data() : all.data() + index * problem_.n * parts;
      for (std::size_t j = 0; j < columns; j++) {
        const std::size_t column = right.at.columns[j / parts];
        const double computed = row[column * parts + j % parts];
        const double exact = right.values[i * columns + j], bound = right.bounds[i * columns + j];
        if (!(std::fabs(computed - exact) <= bound)) {
          return fmt::format("{}element ({}, {}){} is {} instead of {}, error bound {:.3g}",
                             parts == 1       ? ""
                             : j % parts == 0 ? "the real part of "
                                              : "the imaginary part of ",
                             right.at.rows[i], column,
                             problem_.batch == 1 ? "" : fmt::format(" of product {}", product),
                             computed, exact, bound);
        }
      }
    }
    return "";
  }

  MakeCall make_;
  Problem problem_;
  std::uint64_t seed_;
  Generated numbers_of_a_, numbers_of_b_;
  detail::Batch a_, b_;
  reference::Output c_;
  std::vector<Reference> references_;
};

}  // namespace

std::unique_ptr<kernels::Workload> make_multiply_workload(const Engine& engine,
                                                          const Problem& problem,
                                                          std::uint64_t seed) {
  return std::make_unique<ProductWorkload>(engine, problem, seed, make_call);
}

std::unique_ptr<kernels::Workload> make_matrix_vector_workload(const Engine& engine,
                                                               const Problem& problem,
                                                               std::uint64_t seed) {
  return std::make_unique<ProductWorkload>(engine, problem, seed, make_vector_call_of);
}

std::vector<runtime::MatrixSize> product_matrices(const Problem& problem) {
  const auto size = [&](ElementType type, std::size_t rows, std::size_t columns, Op op) {
    if (is_transposed(op)) std::swap(rows, columns);
    return runtime::MatrixSize{problem.batch * rows, columns, element_size(type)};
  };
  return {size(problem.types.a, problem.m, problem.k, problem.op_a),
          size(problem.types.b, problem.k, problem.n, problem.op_b),
          reference::Output::size(problem.types.c, problem.batch * problem.m, problem.n)};
}

Work multiply_work(const Problem& problem) {
  const double m = static_cast<double>(problem.m), n = static_cast<double>(problem.n),
               k = static_cast<double>(problem.k);
  const double batch = static_cast<double>(problem.batch);
  const double element = static_cast<double>(element_size(problem.types.a)),
               output = static_cast<double>(element_size(problem.types.c));
  // A complex product and a sum are four real ones of each.
  const double flops = is_complex(problem.types.a) ? 8 : 2;
  return {flops * batch * m * n * k, batch * (element * (m * k + k * n) + output * m * n)};
}

}  // namespace tessera::inline v0::multiplication
