// Workloads of the eigenpair's operations with a matrix, which is positive and made on the device.
#include "eigen/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "eigen/precision.hpp"
#include "eigen/reference.hpp"
#include "eigen/round_batch.hpp"
#include "eigen/workload_parts.hpp"
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
using runtime::MatrixSize;
using workloads::kStep, workloads::Reference, workloads::Vector;

constexpr double kReferenceElements = 0x1p22;  // the host checks them in some milliseconds

/// Rows in which a result is compared.
std::vector<std::size_t> sampled_rows(const Problem& problem, std::uint64_t seed) {
  const double rows = kReferenceElements / static_cast<double>(problem.n);
  return reference::sample(problem.m, static_cast<std::size_t>(std::max(8.0, rows)), seed);
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

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    return {{problem.m, problem.n, sizeof(T)}, Output<T>::size(problem.m, 1)};
  }

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
    return workloads::compare(reference_, s_);
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

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    const MatrixSize vector{problem.m, 1, sizeof(double)},
        output = Output<double>::size(problem.m, 1, true);
    auto all = RoundBatch<T>::matrices(problem.m);
    all.insert(all.begin(), {{problem.m, problem.m, sizeof(T)}, vector, output, output});
    return all;
  }

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

  static std::vector<MatrixSize> matrices(const Problem& problem) {
    return {{problem.m, problem.m, sizeof(T)},
            {problem.m, 1, sizeof(T)},
            Output<T>::size(problem.m, problem.m),
            Output<T>::size(problem.m, 1)};
  }

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
    return fused ? workloads::compare(sums, t_) : "";
  }

 private:
  std::vector<std::size_t> rows_;
  Generated<T> numbers_;
  Matrix<T> a_;
  Vector<T> s_;
  Output<T> b_, t_;
};

}  // namespace

const StepWorkload kRowSumWorkload = kStep<RowSums<float>, RowSums<double>>;
const StepWorkload kSimilarityTransformWorkload =
    kStep<Transforms<float, false>, Transforms<double, false>>;
const StepWorkload kFusedRoundWorkload = kStep<Transforms<float, true>, Transforms<double, true>>;

std::vector<MatrixSize> implicit_round_matrices(const Problem& problem) {
  return workloads::matrices<ImplicitRounds<float>, ImplicitRounds<double>>(problem);
}

std::unique_ptr<Workload> make_implicit_rounds(const kernels::Table<ImplicitRoundCall>& table,
                                               const Engine& engine, const Problem& problem,
                                               std::uint64_t seed) {
  if (problem.type == ElementType::float64)
    return std::make_unique<ImplicitRounds<double>>(table, engine, problem, seed);
  return std::make_unique<ImplicitRounds<float>>(table, engine, problem, seed);
}

}  // namespace tessera::inline v0::eigen
