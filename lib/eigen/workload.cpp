// Workloads of the eigenpair's operations: positive matrices and vectors, made on the device.
#include "eigen/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "eigen/precision.hpp"
#include "eigen/reference.hpp"
#include "eigen/round_batch.hpp"
#include "operands/element.hpp"
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
template <class T>
struct Vector {
  std::vector<T> host;
  Matrix<T> device;

  Vector(const Engine& engine, std::size_t length, std::uint64_t seed)
      : host(numbers(length, seed)), device(engine, length, 1, host) {}

  /// From 1/2 to 2: neighbours must differ for the stop test.
  static std::vector<T> numbers(std::size_t length, std::uint64_t seed) {
    const Generated<T> generated(seed, Range::positive);
    std::vector<T> all(length);
    for (std::size_t i = 0; i < length; i++) all[i] = T(1.5) * generated[i] + T(0.3125);
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

template <class T>
std::string compare(const Reference& reference, Output<T>& output) {
  const auto computed = output.elements();
  for (std::size_t e = 0; e < reference.indices.size(); e++) {
    const std::size_t i = reference.indices[e];
    const double value = static_cast<double>(computed[i]);
    const auto& [right, bound] = reference.values[e];
    if (!(std::fabs(value - right) <= bound))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, value, right,
                         bound);
  }
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (std::isnan(static_cast<double>(computed[i])))
      return fmt::format("element {} was not written, or is NaN", i);
  }
  return output.guards_intact() ? "" : reference::kOutsideWritten;
}

template <Real T>
class RowSums : public Workload {
 public:
  RowSums(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : problem_(problem),
        rows_(sampled_rows(problem, seed)),
        numbers_(seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.n)),
        s_(engine, problem.m, 1) {}

  KernelRun run(const KernelChoice& kernel) override {
    return row_sum<T>(s_.view(), a_, {.kernel = kernel});
  }
  void poison() override { s_.poison(); }
  std::string compare() override {
    if (reference_.indices.empty()) {
      for (const std::size_t i : rows_) {
        reference_.add(i, reference_sum<T>(problem_.n, [&](std::size_t j) {
                         return numbers_[i * problem_.n + j];
                       }));
      }
    }
    return eigen::compare(reference_, s_);
  }

 private:
  Problem problem_;
  std::vector<std::size_t> rows_;
  Generated<T> numbers_;
  Matrix<T> a_;
  Output<T> s_;
  Reference reference_;
};

template <Real T>
class ImplicitRounds : public Workload {
 public:
  ImplicitRounds(const kernels::Table<ImplicitRoundCall>& table, const Engine& engine,
                 const Problem& problem, std::uint64_t seed)
      : rows_(sampled_rows(problem, seed)),
        numbers_(seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.m)),
        p_(engine, problem.m, seed + 1),
        q_(engine, problem.m, 1, true),
        s_(engine, problem.m, 1, true),
        batch_(table, engine, problem.m) {}

  KernelRun run(const KernelChoice& kernel) override {
    return implicit_round<T>(q_.view(), s_.view(), a_, p_.device, {.kernel = kernel});
  }
  Calls run_timed(const KernelChoice& kernel) override {
    return {batch_.run(a_, kernel), RoundBatch<T>::kRounds};
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
  Generated<T> numbers_;
  Matrix<T> a_;
  Vector<double> p_;
  Output<double> q_, s_;
  RoundBatch<T> batch_;
  Reference products_, ratios_;
};

/// b_ij = a_ij s_j / s_i, alone or fused with the next row sums.
template <Real T, bool fused>
class Transforms : public Workload {
 public:
  Transforms(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : rows_(sampled_rows(problem, seed)),
        numbers_(seed, Range::positive),
        a_(numbers_.matrix(engine, problem.m, problem.m)),
        s_(engine, problem.m, seed + 1),
        b_(engine, problem.m, problem.m),
        t_(engine, problem.m, 1) {}

  KernelRun run(const KernelChoice& kernel) override {
    if constexpr (fused)
      return fused_round<T>(b_.view(), t_.view(), a_, s_.device, {.kernel = kernel});
    return similarity_transform<T>(b_.view(), a_, s_.device, {.kernel = kernel});
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
        return reference_quotient<T>(numbers_[i * n + j], s_.host[j], s_.host[i]);
      };
      for (std::size_t j = 0; j < n; j++) {
        const auto [value, bound] = right(j);
        if (!(std::fabs(row[j] - value) <= bound))
          return fmt::format("element ({}, {}) is {} instead of {}", i, j, row[j], value);
      }
      // A term of a device's sum has an error of its own.
      const Bounded sum = reference_sum<T>(n, [&](std::size_t j) { return right(j).value; });
      sums.add(i,
               {sum.value, sum.bound * static_cast<double>(n + 16) / static_cast<double>(n + 1)});
    }
    if (!b_.guards_intact()) return reference::kOutsideWritten;
    return fused ? eigen::compare(sums, t_) : "";
  }

 private:
  std::vector<std::size_t> rows_;
  Generated<T> numbers_;
  Matrix<T> a_;
  Vector<T> s_;
  Output<T> b_, t_;
};

enum class OfVectors { vector_max, row_bounds, stop, eigenvector };

/// The operations that take only vectors.
template <Real T, OfVectors operation>
class Vectors : public Workload {
 public:
  Vectors(const Engine& engine, const Problem& problem, std::uint64_t seed)
      : x_(engine, problem.m, seed),
        maximum_(engine, {{T(2)}}),
        bounds_(engine, operation == OfVectors::row_bounds ? 2 : 1, 1),
        v_(engine, problem.m, 1),
        converged_(engine, 1, 1) {}

  KernelRun run(const KernelChoice& kernel) override {
    if constexpr (operation == OfVectors::vector_max)
      return vector_max<T>(bounds_.view(), x_.device, {.kernel = kernel});
    if constexpr (operation == OfVectors::row_bounds)
      return row_bounds<T>(bounds_.view(), x_.device, {.kernel = kernel});
    if constexpr (operation == OfVectors::stop)
      return stop<T>(converged_.view(), x_.device, T(0.25), {.kernel = kernel});
    return eigenvector<T>(v_.view(), x_.device, maximum_, {.kernel = kernel});
  }
  void poison() override {
    bounds_.poison();
    v_.poison();
    v_.view().upload(x_.host);
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
      reference.add(0, {reference_stop<T>(x, T(0.25)) ? 1.0 : 0.0, 0});
      return eigen::compare(reference, converged_);
    }
    for (std::size_t i = 0; i < x.size(); i++)
      reference.add(i, reference_quotient<T>(x[i], x[i], 2));
    return eigen::compare(reference, v_);
  }

 private:
  Vector<T> x_;
  Matrix<T> maximum_;
  Output<T> bounds_, v_;
  Output<std::int32_t> converged_;
};

template <class ForFloat, class ForDouble>
std::unique_ptr<Workload> make(const Engine& engine, const Problem& problem, std::uint64_t seed) {
  if (problem.type == ElementType::float64)
    return std::make_unique<ForDouble>(engine, problem, seed);
  return std::make_unique<ForFloat>(engine, problem, seed);
}

template <OfVectors operation>
constexpr MakeWorkload kOfVectors = make<Vectors<float, operation>, Vectors<double, operation>>;

}  // namespace

const MakeWorkload kRowSumWorkload = make<RowSums<float>, RowSums<double>>;
const MakeWorkload kVectorMaxWorkload = kOfVectors<OfVectors::vector_max>;
const MakeWorkload kRowBoundsWorkload = kOfVectors<OfVectors::row_bounds>;
const MakeWorkload kEigenvectorWorkload = kOfVectors<OfVectors::eigenvector>;
const MakeWorkload kStopWorkload = kOfVectors<OfVectors::stop>;
const MakeWorkload kSimilarityTransformWorkload =
    make<Transforms<float, false>, Transforms<double, false>>;
const MakeWorkload kFusedRoundWorkload = make<Transforms<float, true>, Transforms<double, true>>;

std::unique_ptr<Workload> make_implicit_rounds(const kernels::Table<ImplicitRoundCall>& table,
                                               const Engine& engine, const Problem& problem,
                                               std::uint64_t seed) {
  if (problem.type == ElementType::float64)
    return std::make_unique<ImplicitRounds<double>>(table, engine, problem, seed);
  return std::make_unique<ImplicitRounds<float>>(table, engine, problem, seed);
}

}  // namespace tessera::inline v0::eigen
