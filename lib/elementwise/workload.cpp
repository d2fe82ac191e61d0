// A sum of two matrices, and the rows on which it is compared.
#include "elementwise/workload.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "elementwise/add_call.hpp"
#include "elementwise/reference.hpp"
#include "operands/numbers.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"

namespace tessera::inline v0::elementwise {
namespace {

class AddWorkload : public kernels::Workload {
 public:
  AddWorkload(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : type_(problem.types.a),
        rows_(problem.m),
        columns_(problem.n),
        seed_(seed),
        numbers_of_a_(type_, seed),
        numbers_of_b_(type_, ~seed),
        a_(numbers_of_a_.matrix(engine, rows_, columns_)),
        b_(numbers_of_b_.matrix(engine, rows_, columns_)),
        c_(engine, type_, rows_, columns_) {}

  KernelRun run(const kernels::SharedPlan& plan) override {
    const auto sum =
        make_sum(c_.operand(), a_, b_, {.alpha = kFactors.alpha, .beta = kFactors.beta});
    return runtime::with_opencl_errors([&] { return run_plan(plan, *c_.operand().stream, sum); },
                                       [] { return std::string("add"); });
  }
  void poison() override { c_.poison(); }

  std::string compare() override {
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t by_chance = operands::is_integer(type_) ? rows_ * columns_ >> 22 : 0;
    if (const std::size_t unwritten = c_.unwritten(); unwritten > by_chance)
      return fmt::format("{} of {} elements were not written, or are NaN", unwritten,
                         rows_ * columns_);
    constexpr std::size_t kRows = 256;
    for (const std::size_t i : reference::sample(rows_, kRows, seed_)) {
      const auto row = c_.row(i);
      for (std::size_t j = 0; j < columns_; j++) {
        const std::size_t place = i * columns_ + j;
        const auto [exact, bound] =
            reference_sum(type_, kFactors, numbers_of_a_[place], numbers_of_b_[place]);
        if (!(std::fabs(row[j] - exact) <= bound))
          return fmt::format("element ({}, {}) is {} instead of {}, error bound {:.3g}", i, j,
                             row[j], exact, bound);
      }
    }
    return c_.guards_intact() ? "" : reference::kOutsideWritten;
  }

 private:
  static constexpr Factors kFactors = {2, -3, 0};

  ElementType type_;
  std::size_t rows_, columns_;
  std::uint64_t seed_;
  reference::Generated numbers_of_a_, numbers_of_b_;
  detail::Operand a_, b_;
  reference::Output c_;
};

}  // namespace

std::unique_ptr<kernels::Workload> make_add_workload(const Engine& engine, const Problem& problem,
                                                     std::uint64_t seed) {
  return std::make_unique<AddWorkload>(engine, problem, seed);
}

std::vector<runtime::MatrixSize> add_matrices(const Problem& problem) {
  const ElementType type = problem.types.a;
  const runtime::MatrixSize operand{problem.m, problem.n, element_size(type)};
  return {operand, operand, reference::Output::size(type, problem.m, problem.n)};
}

Work add_work(const Problem& problem) {
  const double elements = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const double size = static_cast<double>(element_size(problem.types.a));
  return {4 * elements, 3 * size * elements};
}

}  // namespace tessera::inline v0::elementwise
