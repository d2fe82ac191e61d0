// Implicit rounds on a matrix made on the device, timed as a batch, as a solve enqueues them.
#include "eigen/round_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "eigen/precision.hpp"
#include "eigen/reference.hpp"
#include "eigen/round_batch.hpp"
#include "eigen/step_calls.hpp"
#include "operands/numbers.hpp"
#include "reference/generated.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"

namespace tessera::inline v0::eigen {
namespace {

using reference::Generated;
using reference::Output;
using runtime::MatrixSize;

constexpr ElementType kVector = ElementType::float64;

/// Elements that are compared, and what they have to be.
using Expected = std::vector<std::pair<std::size_t, Bounded>>;

/// Returns what is wrong with a vector; empty if nothing.
std::string compare_with(const Expected& expected, const Output& output) {
  const auto computed = output.elements();
  for (const auto& [i, right] : expected) {
    if (!(std::fabs(computed[i] - right.value) <= right.bound))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, computed[i],
                         right.value, right.bound);
  }
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (std::isnan(computed[i])) return fmt::format("element {} was not written, or is NaN", i);
  }
  return output.guards_intact() ? "" : reference::kOutsideWritten;
}

std::vector<double> positive_vector(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return reference::uniform_elements(kVector, n, random, 0.5, 2);
}

class ImplicitRounds : public kernels::Workload {
 public:
  ImplicitRounds(const kernels::Table<ImplicitRoundCall>& table, const Engine& engine,
                 const Problem& problem, std::uint64_t seed)
      : seed_(seed),
        numbers_(problem.types.a, seed, reference::Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.m)),
        vector_(positive_vector(problem.m, seed + 1)),
        p_(operands::matrix_of(engine.stream(), kVector, problem.m, 1, vector_)),
        q_(engine, kVector, problem.m, 1, true),
        s_(engine, kVector, problem.m, 1, true),
        batch_(table, engine, problem.types.a, problem.m) {}

  KernelRun run(const kernels::SharedPlan& plan) override {
    return run_plan(plan, implicit_round_step(q_.operand(), s_.operand(), a_, p_));
  }
  Calls run_timed(const kernels::SharedPlan& plan) override {
    return {batch_.run(a_, plan), RoundBatch::kRounds};
  }
  void poison() override {
    q_.poison();
    s_.poison();
  }
  std::string compare() override {
    if (products_.empty()) make_reference();
    const auto wrong = compare_with(products_, q_);
    return wrong.empty() ? compare_with(ratios_, s_) : wrong;
  }

 private:
  void make_reference() {
    constexpr double kElements = 0x1p22;  // the host checks them in some milliseconds
    const std::size_t n = vector_.size();
    const double rows = std::max(8.0, kElements / static_cast<double>(n));
    for (const std::size_t i : reference::sample(n, static_cast<std::size_t>(rows), seed_)) {
      const auto right = reference_round(i, vector_, relative_error(Accumulator::float64, n),
                                         [&](std::size_t j) { return numbers_[i * n + j]; });
      products_.emplace_back(i, right.product);
      ratios_.emplace_back(i, right.ratio);
    }
  }

  std::uint64_t seed_;
  Generated numbers_;
  detail::Operand a_;
  std::vector<double> vector_;
  detail::Operand p_;
  Output q_, s_;
  RoundBatch batch_;
  Expected products_, ratios_;
};

}  // namespace

std::vector<MatrixSize> implicit_round_matrices(const Problem& problem) {
  const std::size_t n = problem.m;
  const MatrixSize output = Output::size(kVector, n, 1, true);
  auto all = RoundBatch::matrices(n);
  all.insert(
      all.begin(),
      {{n, n, element_size(problem.types.a)}, {n, 1, element_size(kVector)}, output, output});
  return all;
}

std::unique_ptr<kernels::Workload> make_implicit_rounds(
    const kernels::Table<ImplicitRoundCall>& table, const Engine& engine, const Problem& problem,
    std::uint64_t seed) {
  return std::make_unique<ImplicitRounds>(table, engine, problem, seed);
}

}  // namespace tessera::inline v0::eigen
