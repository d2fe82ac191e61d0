// A sum of two matrices, and the rows on which it is compared.
#include "elementwise/workload.hpp"

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>
#include <utility>

#include "elementwise/reference.hpp"
#include "operands/element.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::elementwise {
namespace {

template <VectorElement T>
class AddWorkload : public kernels::Workload {
 public:
  AddWorkload(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : rows_(problem.m),
        columns_(problem.n),
        seed_(seed),
        numbers_of_a_(seed),
        numbers_of_b_(~seed),
        a_(numbers_of_a_.matrix(engine, rows_, columns_)),
        b_(numbers_of_b_.matrix(engine, rows_, columns_)),
        c_(engine, rows_, columns_) {}

  KernelRun run(const KernelChoice& kernel) override {
    options_.kernel = kernel;
    return add_into(c_.view(), a_, b_, options_);
  }
  void poison() override { c_.poison(); }

  std::string compare() override {
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t by_chance = std::integral<T> ? rows_ * columns_ >> 22 : 0;
    if (const std::size_t unwritten = c_.unwritten(); unwritten > by_chance)
      return fmt::format("{} of {} elements were not written, or are NaN", unwritten,
                         rows_ * columns_);
    constexpr std::size_t kRows = 256;
    for (const std::size_t i : reference::sample(rows_, kRows, seed_)) {
      const auto row = c_.row(i);
      for (std::size_t j = 0; j < columns_; j++) {
        const std::size_t place = i * columns_ + j;
        const auto [exact, bound] =
            reference_sum<T>(options_, numbers_of_a_[place], numbers_of_b_[place]);
        const double computed = reference::widened(row[j]);
        if (!(std::fabs(computed - exact) <= bound))
          return fmt::format("element ({}, {}) is {} instead of {}, error bound {:.3g}", i, j,
                             computed, exact, bound);
      }
    }
    return c_.guards_intact() ? "" : reference::kOutsideWritten;
  }

 private:
  std::size_t rows_, columns_;
  std::uint64_t seed_;
  reference::Generated<T> numbers_of_a_, numbers_of_b_;
  Matrix<T> a_, b_;
  reference::Output<T> c_;
  AddOptions<T> options_{.alpha = 2, .beta = -3};
};

}  // namespace

std::unique_ptr<kernels::Workload> make_add_workload(const Engine& engine, const Problem& problem,
                                                     std::uint64_t seed) {
  return operands::with_type(problem.type, [&](auto zero) -> std::unique_ptr<kernels::Workload> {
    using T = decltype(zero);
    if constexpr (VectorElement<T>) {
      return std::make_unique<AddWorkload<T>>(engine, problem, seed);
    } else {
      throw UnsupportedError("add", "it is not for int8");
    }
  });
}

std::vector<runtime::MatrixSize> add_matrices(const Problem& problem) {
  return operands::with_type(problem.type, [&](auto zero) -> std::vector<runtime::MatrixSize> {
    using T = decltype(zero);
    const runtime::MatrixSize operand{problem.m, problem.n, sizeof(T)};
    if constexpr (VectorElement<T>) {
      return {operand, operand, reference::Output<T>::size(problem.m, problem.n)};
    } else {
      return {};  // has no workload
    }
  });
}

Work add_work(const Problem& problem) {
  const double elements = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const double size = static_cast<double>(operands::element_size(problem.type));
  return {4 * elements, 3 * size * elements};
}

}  // namespace tessera::inline v0::elementwise
