// Workloads of the eigenpair's operations: positive matrices and vectors, made on the device.
#include "eigen/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "eigen/precision.hpp"
#include "eigen/reference.hpp"
#include "eigen/round_batch.hpp"
#include "eigen/step_calls.hpp"
#include "eigen/workload_parts.hpp"
#include "operands/numbers.hpp"
#include "reference/generated.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"
#include "tessera/eigen.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Workload;
using reference::Generated;
using reference::Output;
using reference::Range;
using runtime::MatrixSize;
using workloads::kStep, workloads::Reference, workloads::size_of, workloads::Vector;

constexpr double kReferenceElements = 0x1p22;  // the host checks them in some milliseconds

/// Rows in which a result is compared.
std::vector<std::size_t> sampled_rows(const Problem& problem, std::uint64_t seed) {
  const double rows = kReferenceElements / static_cast<double>(problem.n);
  return reference::sample(problem.m, static_cast<std::size_t>(std::max(8.0, rows)), seed);
}

class RowSums : public Workload {
 public:
  RowSums(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : problem_(problem),
        rows_(sampled_rows(problem, seed)),
        numbers_(problem.types.a, seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.n)),
        s_(engine, problem.types.a, problem.m, 1) {}

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    const ElementType type = problem.types.a;
    return {size_of(type, problem.m, problem.n), Output::size(type, problem.m, 1)};
  }

  KernelRun run(const kernels::SharedPlan& plan) override {
    return run_plan(plan, row_sum_step(s_.operand(), a_));
  }
  void poison() override { s_.poison(); }
  std::string compare() override {
    if (reference_.indices.empty()) {
      for (const std::size_t i : rows_) {
        reference_.add(i, reference_sum(problem_.types.a, problem_.n, [&](std::size_t j) {
                         return numbers_[i * problem_.n + j];
                       }));
      }
    }
    return workloads::compare(reference_, s_);
  }

 private:
  Problem problem_;
  std::vector<std::size_t> rows_;
  Generated numbers_;
  detail::Operand a_;
  Output s_;
  Reference reference_;
};

class ImplicitRounds : public Workload {
 public:
  ImplicitRounds(const kernels::Table<ImplicitRoundCall>& table, const Engine& engine,
                 const Problem& problem, std::uint64_t seed)
      : rows_(sampled_rows(problem, seed)),
        numbers_(problem.types.a, seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.m)),
        p_(engine, ElementType::float64, problem.m, seed + 1),
        q_(engine, ElementType::float64, problem.m, 1, true),
        s_(engine, ElementType::float64, problem.m, 1, true),
        batch_(table, engine, problem.types.a, problem.m) {}

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    const std::size_t n = problem.m;
    const MatrixSize output = Output::size(ElementType::float64, n, 1, true);
    auto all = RoundBatch::matrices(n);
    all.insert(all.begin(), {size_of(problem.types.a, n, n), size_of(ElementType::float64, n, 1),
                             output, output});
    return all;
  }

  KernelRun run(const kernels::SharedPlan& plan) override {
    return run_plan(plan, implicit_round_step(q_.operand(), s_.operand(), a_, p_.device));
  }
  Calls run_timed(const kernels::SharedPlan& plan) override {
    return {batch_.run(a_, plan), RoundBatch::kRounds};
  }
  void poison() override {
    q_.poison();
    s_.poison();
  }
  std::string compare() override {
    if (products_.indices.empty()) make_reference();
    const auto wrong = workloads::compare(products_, q_);
    return wrong.empty() ? workloads::compare(ratios_, s_) : wrong;
  }

 private:
  void make_reference() {
    const std::size_t n = p_.host.size();
    for (const std::size_t i : rows_) {
      const auto right = reference_round(i, p_.host, relative_error(Accumulator::float64, n),
                                         [&](std::size_t j) { return numbers_[i * n + j]; });
      products_.add(i, right.product);
      ratios_.add(i, right.ratio);
    }
  }

  std::vector<std::size_t> rows_;
  Generated numbers_;
  detail::Operand a_;
  Vector p_;
  Output q_, s_;
  RoundBatch batch_;
  Reference products_, ratios_;
};

/// b_ij = a_ij s_j / s_i, alone or fused with the next row sums.
template <bool fused>
class Transforms : public Workload {
 public:
  Transforms(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : type_(problem.types.a),
        rows_(sampled_rows(problem, seed)),
        numbers_(problem.types.a, seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.m)),
        s_(engine, type_, problem.m, seed + 1),
        b_(engine, type_, problem.m, problem.m),
        t_(engine, type_, problem.m, 1) {}

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    const ElementType type = problem.types.a;
    const std::size_t n = problem.m;
    return {size_of(type, n, n), size_of(type, n, 1), Output::size(type, n, n),
            Output::size(type, n, 1)};
  }

  KernelRun run(const kernels::SharedPlan& plan) override {
    if constexpr (fused)
      return run_plan(plan, fused_round_step(b_.operand(), t_.operand(), a_, s_.device));
    return run_plan(plan, similarity_transform_step(b_.operand(), a_, s_.device));
  }
  void poison() override {
    b_.poison();
    t_.poison();
  }
  std::string compare() override {
    if (const std::size_t unwritten = b_.unwritten(); unwritten > 0)
      return fmt::format("{} elements were not written, or are NaN", unwritten);
    Reference sums;
    const std::size_t n = s_.host.size();
    for (const std::size_t i : rows_) {
      const auto row = b_.row(i);
      const auto right = [&](std::size_t j) {
        return reference_quotient(type_, numbers_[i * n + j], s_.host[j], s_.host[i]);
      };
      for (std::size_t j = 0; j < n; j++) {
        const auto [value, bound] = right(j);
        if (!(std::fabs(row[j] - value) <= bound))
          return fmt::format("element ({}, {}) is {} instead of {}", i, j, row[j], value);
      }
      // A term of a device's sum has an error of its own.
      const Bounded sum = reference_sum(type_, n, [&](std::size_t j) { return right(j).value; });
      sums.add(i,
               {sum.value, sum.bound * static_cast<double>(n + 16) / static_cast<double>(n + 1)});
    }
    if (!b_.guards_intact()) return reference::kOutsideWritten;
    return fused ? workloads::compare(sums, t_) : "";
  }

 private:
  ElementType type_;
  std::vector<std::size_t> rows_;
  Generated numbers_;
  detail::Operand a_;
  Vector s_;
  Output b_, t_;
};

}  // namespace

const StepWorkload kRowSumWorkload = kStep<RowSums>;
const StepWorkload kSimilarityTransformWorkload = kStep<Transforms<false>>;
const StepWorkload kFusedRoundWorkload = kStep<Transforms<true>>;

std::vector<MatrixSize> implicit_round_matrices(const Problem& problem) {
  return ImplicitRounds::matrices(problem);
}

std::unique_ptr<Workload> make_implicit_rounds(const kernels::Table<ImplicitRoundCall>& table,
                                               const Engine& engine, const Problem& problem,
                                               std::uint64_t seed) {
  return std::make_unique<ImplicitRounds>(table, engine, problem, seed);
}

}  // namespace tessera::inline v0::eigen
