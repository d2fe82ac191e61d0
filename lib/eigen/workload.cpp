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

constexpr double kReferenceElements = 0x1p22;  // the host checks them in some milliseconds

/// Rows in which a result is compared.
std::vector<std::size_t> sampled_rows(const Problem& problem, std::uint64_t seed) {
  const double rows = kReferenceElements / static_cast<double>(problem.n);
  return reference::sample(problem.m, static_cast<std::size_t>(std::max(8.0, rows)), seed);
}

/// A vector on the device, with a copy on the host.
struct Vector {
  std::vector<double> host;
  detail::Operand device;

  Vector(const Engine& engine, ElementType type, std::size_t length, std::uint64_t seed)
      : host(numbers(type, length, seed)), device(detail::allocate(engine.stream(), type, length, 1)) {
    upload(host, device);
  }
  static void upload(const std::vector<double>& numbers, const detail::Operand& to) {
    const auto elements = operands::elements_of(to.type, numbers);
    detail::upload(to, detail::rows_for(to, elements.data()));
  }

  /// From 1/2 to 2: neighbours must differ for the stop test.
  static std::vector<double> numbers(ElementType type, std::size_t length, std::uint64_t seed) {
    const Generated generated(type, seed, Range::positive);
    std::vector<double> all(length);
    for (std::size_t i = 0; i < length; i++)
      all[i] = operands::rounded(type, 1.5 * generated[i] + 0.3125);
    return all;
  }
};

/// Expected values of some elements of a vector.
struct Reference {
  std::vector<std::size_t> indices;
  std::vector<Bounded> values;
  void add(std::size_t index, const Bounded& value) {
    indices.push_back(index);
    values.push_back(value);
  }
};

std::string compare(const Reference& reference, const Output& output) {
  const auto computed = output.elements();
  for (std::size_t e = 0; e < reference.indices.size(); e++) {
    const std::size_t i = reference.indices[e];
    const double value = computed[i];
    const auto& [right, bound] = reference.values[e];
    if (!(std::fabs(value - right) <= bound))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, value, right,
                         bound);
  }
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (std::isnan(computed[i]))
      return fmt::format("element {} was not written, or is NaN", i);
  }
  return output.guards_intact() ? "" : reference::kOutsideWritten;
}

class RowSums : public Workload {
 public:
  RowSums(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : problem_(problem),
        rows_(sampled_rows(problem, seed)),
        numbers_(problem.types.a, seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.n)),
        s_(engine, problem.types.a, problem.m, 1) {}

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
    return eigen::compare(reference_, s_);
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
    const auto wrong = eigen::compare(products_, q_);
    return wrong.empty() ? eigen::compare(ratios_, s_) : wrong;
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
    return fused ? eigen::compare(sums, t_) : "";
  }

 private:
  ElementType type_;
  std::vector<std::size_t> rows_;
  Generated numbers_;
  detail::Operand a_;
  Vector s_;
  Output b_, t_;
};

enum class OfVectors { vector_max, row_bounds, stop, eigenvector };

/// The operations that take only vectors.
template <OfVectors operation>
class Vectors : public Workload {
 public:
  Vectors(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : type_(problem.types.a),
        x_(engine, type_, problem.m, seed),
        maximum_(detail::allocate(engine.stream(), type_, 1, 1)),
        bounds_(engine, type_, operation == OfVectors::row_bounds ? 2 : 1, 1),
        v_(engine, type_, problem.m, 1),
        converged_(engine, ElementType::int32, 1, 1) {
    Vector::upload({2}, maximum_);
  }

  KernelRun run(const kernels::SharedPlan& plan) override {
    if constexpr (operation == OfVectors::vector_max)
      return run_plan(plan, vector_max_step(bounds_.operand(), x_.device));
    if constexpr (operation == OfVectors::row_bounds)
      return run_plan(plan, row_bounds_step(bounds_.operand(), x_.device));
    if constexpr (operation == OfVectors::stop)
      return run_plan(plan, stop_step(converged_.operand(), x_.device, 0.25));
    return run_plan(plan, eigenvector_step(v_.operand(), x_.device, maximum_));
  }
  void poison() override {
    bounds_.poison();
    v_.poison();
    Vector::upload(x_.host, v_.operand());
    converged_.poison();
  }
  std::string compare() override {
    const auto& x = x_.host;
    Reference reference;
    const auto [minimum, maximum] = std::ranges::minmax(x);
    if constexpr (operation == OfVectors::row_bounds) reference.add(0, {minimum, 0});
    if constexpr (operation == OfVectors::row_bounds || operation == OfVectors::vector_max) {
      reference.add(reference.indices.size(), {maximum, 0});
      return eigen::compare(reference, bounds_);
    }
    if constexpr (operation == OfVectors::stop) {
      reference.add(0, {reference_stop(x, 0.25) ? 1.0 : 0.0, 0});
      return eigen::compare(reference, converged_);
    }
    for (std::size_t i = 0; i < x.size(); i++)
      reference.add(i, reference_quotient(type_, x[i], x[i], 2));
    return eigen::compare(reference, v_);
  }

 private:
  ElementType type_;
  Vector x_;
  detail::Operand maximum_;
  Output bounds_, v_;
  Output converged_;
};

template <class Made>
std::unique_ptr<Workload> make(const Engine& engine, const Problem& problem, std::uint64_t seed) {
  return std::make_unique<Made>(engine, problem, seed);
}

}  // namespace

const MakeWorkload kRowSumWorkload = make<RowSums>;
const MakeWorkload kVectorMaxWorkload = make<Vectors<OfVectors::vector_max>>;
const MakeWorkload kRowBoundsWorkload = make<Vectors<OfVectors::row_bounds>>;
const MakeWorkload kEigenvectorWorkload = make<Vectors<OfVectors::eigenvector>>;
const MakeWorkload kStopWorkload = make<Vectors<OfVectors::stop>>;
const MakeWorkload kSimilarityTransformWorkload = make<Transforms<false>>;
const MakeWorkload kFusedRoundWorkload = make<Transforms<true>>;

std::unique_ptr<Workload> make_implicit_rounds(const kernels::Table<ImplicitRoundCall>& table,
                                               const Engine& engine, const Problem& problem,
                                               std::uint64_t seed) {
  return std::make_unique<ImplicitRounds>(table, engine, problem, seed);
}

}  // namespace tessera::inline v0::eigen
