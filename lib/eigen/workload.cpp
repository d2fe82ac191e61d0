// Workloads of the eigenpair's operations: positive matrices and vectors, every element checked.
#include "eigen/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "kernels/element.hpp"
#include "multiply/bound.hpp"
#include "reference/output.hpp"
#include "tessera/eigen.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using kernels::Workload;
using multiplication::kRoundoff;
using reference::Output;

template <class T>
std::vector<T> numbers(std::size_t count, std::mt19937_64& random, double from, double to) {
  std::uniform_real_distribution<double> uniform(from, to);
  std::vector<T> all(count);
  for (T& number : all) number = static_cast<T>(uniform(random));
  return all;
}

/// The elements, and a bound of the error of each.
struct Reference {
  std::vector<double> values, bounds;
  void add(double value, double bound) {
    values.push_back(value);
    bounds.push_back(bound);
  }
};

template <class T>
std::string compare(const Reference& reference, Output<T>& output) {
  std::string failure;
  const auto computed = output.read(failure);
  for (std::size_t i = 0; i < computed.size(); i++) {
    if (!(std::fabs(static_cast<double>(computed[i]) - reference.values[i]) <= reference.bounds[i]))
      return fmt::format("element {} is {} instead of {}, error bound {:.3g}", i, computed[i],
                         reference.values[i], reference.bounds[i]);
  }
  return failure;
}

/// A matrix and vectors that go with it; each operation uses what it needs.
template <Real T>
class StageWorkload : public Workload {
 public:
  StageWorkload(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : engine_(engine), rows_(problem.rows), columns_(problem.columns), random_(seed) {}

 protected:
  Matrix<T> matrix() {
    elements_ = numbers<T>(rows_ * columns_, random_, 0.1, 1);
    return Matrix<T>(engine_, rows_, columns_, elements_);
  }
  template <class U = T>
  Matrix<U> vector(std::vector<U>& host, double from = 0.5, double to = 2) {
    host = numbers<U>(rows_, random_, from, to);
    return Matrix<U>(engine_, rows_, 1, host);
  }

  Engine engine_;
  std::size_t rows_, columns_;
  std::mt19937_64 random_;
  std::vector<T> elements_;
};

template <Real T>
class RowSums : public StageWorkload<T> {
 public:
  RowSums(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : StageWorkload<T>(engine, problem, seed), a_(this->matrix()), s_(engine, problem.rows, 1) {
    for (std::size_t i = 0; i < problem.rows; i++) {
      long double sum = 0;
      for (std::size_t j = 0; j < problem.columns; j++)
        sum += this->elements_[i * problem.columns + j];
      const double value = static_cast<double>(sum);
      reference_.add(value, value * kRoundoff<T> * static_cast<double>(problem.columns + 1));
    }
  }
  KernelRun run(const KernelChoice& kernel) override { return row_sum<T>(s_.view(), a_, kernel); }
  std::string check(const KernelChoice& kernel) override {
    s_.poison();
    run(kernel);
    return compare(reference_, s_);
  }

 private:
  Matrix<T> a_;
  Output<T> s_;
  Reference reference_;
};

template <Real T>
class ImplicitRounds : public StageWorkload<T> {
 public:
  ImplicitRounds(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : StageWorkload<T>(engine, problem, seed),
        a_(this->matrix()),
        p_(this->template vector<double>(p_host_)),
        q_(engine, problem.rows, 1, true),
        s_(engine, problem.rows, 1, true) {
    const std::size_t n = problem.rows;
    for (std::size_t i = 0; i < n; i++) {
      long double sum = 0;
      for (std::size_t j = 0; j < n; j++)
        sum += static_cast<long double>(this->elements_[i * n + j]) * p_host_[j];
      const double bound = static_cast<double>(sum) * 0x1p-53 * static_cast<double>(n + 2);
      products_.add(static_cast<double>(sum), bound);
      ratios_.add(static_cast<double>(sum / p_host_[i]), 2 * bound / p_host_[i]);
    }
  }
  KernelRun run(const KernelChoice& kernel) override {
    return implicit_round<T>(q_.view(), s_.view(), a_, p_, kernel);
  }
  std::string check(const KernelChoice& kernel) override {
    q_.poison();
    s_.poison();
    run(kernel);
    const auto wrong = compare(products_, q_);
    return wrong.empty() ? compare(ratios_, s_) : wrong;
  }

 private:
  std::vector<double> p_host_;
  Matrix<T> a_;
  Matrix<double> p_;
  Output<double> q_, s_;
  Reference products_, ratios_;
};

/// b_ij = a_ij s_j / s_i, alone or with the next row sums.
template <Real T, bool fused>
class Transforms : public StageWorkload<T> {
 public:
  Transforms(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : StageWorkload<T>(engine, problem, seed),
        a_(this->matrix()),
        s_(this->vector(s_host_)),
        b_(engine, problem.rows, problem.rows),
        t_(engine, problem.rows, 1) {}
  KernelRun run(const KernelChoice& kernel) override {
    if constexpr (fused) return fused_round<T>(b_.view(), t_.view(), a_, s_, kernel);
    return similarity_transform<T>(b_.view(), a_, s_, kernel);
  }
  std::string check(const KernelChoice& kernel) override {
    b_.poison();
    t_.poison();
    run(kernel);
    std::string failure;
    const auto b = b_.read(failure);
    Reference sums;
    const std::size_t n = s_host_.size();
    const auto& a = this->elements_;
    for (std::size_t i = 0; i < n; i++) {
      double sum = 0;
      for (std::size_t j = 0; j < n; j++) {
        const double value = static_cast<double>(a[i * n + j]) * s_host_[j] / s_host_[i];
        sum += value;
        if (!(std::fabs(b[i * n + j] - value) <= 8 * kRoundoff<T> * value))
          return fmt::format("element ({}, {}) is {} instead of {}", i, j, b[i * n + j], value);
      }
      sums.add(sum, static_cast<double>(n + 16) * kRoundoff<T> * sum);
    }
    if (fused && failure.empty()) failure = compare(sums, t_);
    return failure;
  }

 private:
  std::vector<T> s_host_;
  Matrix<T> a_, s_;
  Output<T> b_, t_;
};

/// The operations on vectors alone.
template <Real T>
class Vectors : public StageWorkload<T> {
 public:
  Vectors(const Engine& engine, const TuneProblem& problem, std::uint64_t seed)
      : StageWorkload<T>(engine, problem, seed),
        operation_(problem.operation),
        x_(this->vector(x_host_)),
        maximum_(engine, {{T(2)}}),
        bounds_(engine, operation_ == "row_bounds" ? 2 : 1, 1),
        v_(engine, problem.rows, 1),
        converged_(engine, 1, 1) {}

  KernelRun run(const KernelChoice& kernel) override {
    if (operation_ == "vector_max") return vector_max<T>(bounds_.view(), x_, kernel);
    if (operation_ == "row_bounds") return row_bounds<T>(bounds_.view(), x_, kernel);
    if (operation_ == "stop") return stop<T>(converged_.view(), x_, T(0.25), kernel);
    return eigenvector<T>(v_.view(), x_, maximum_, kernel);
  }
  std::string check(const KernelChoice& kernel) override {
    bounds_.poison();
    v_.poison();
    v_.view().upload(x_host_);
    converged_.poison();
    run(kernel);
    Reference reference;
    const auto [minimum, maximum] = std::ranges::minmax(x_host_);
    if (operation_ == "row_bounds") reference.add(minimum, 0);
    if (operation_ == "row_bounds" || operation_ == "vector_max") {
      reference.add(maximum, 0);
      return compare(reference, bounds_);
    }
    if (operation_ == "stop") {
      bool agree = true;
      for (std::size_t i = 0; i < x_host_.size(); i++)
        agree = agree && std::fabs(x_host_[i] - x_host_[(i + 1) % x_host_.size()]) < T(0.25);
      reference.add(agree ? 1 : 0, 0);
      return compare(reference, converged_);
    }
    for (const T x : x_host_) {
      const double value = static_cast<double>(x) * x / 2;
      reference.add(value, 8 * kRoundoff<T> * value);
    }
    return compare(reference, v_);
  }

 private:
  std::string operation_;
  std::vector<T> x_host_;
  Matrix<T> x_, maximum_;
  Output<T> bounds_, v_;
  Output<std::int32_t> converged_;
};

template <Real T>
std::unique_ptr<Workload> make(const Engine& engine, const TuneProblem& problem,
                               std::uint64_t seed) {
  const std::string& operation = problem.operation;
  if (operation == "row_sum") return std::make_unique<RowSums<T>>(engine, problem, seed);
  if (operation == "implicit_round")
    return std::make_unique<ImplicitRounds<T>>(engine, problem, seed);
  if (operation == "similarity_transform")
    return std::make_unique<Transforms<T, false>>(engine, problem, seed);
  if (operation == "fused_round")
    return std::make_unique<Transforms<T, true>>(engine, problem, seed);
  return std::make_unique<Vectors<T>>(engine, problem, seed);
}

}  // namespace

std::unique_ptr<kernels::Workload> make_stage_workload(const Engine& engine,
                                                       const TuneProblem& problem,
                                                       std::uint64_t seed) {
  if (problem.type == ElementType::float64) return make<double>(engine, problem, seed);
  return make<float>(engine, problem, seed);
}

Work stage_work(const TuneProblem& problem) {
  const double m = static_cast<double>(problem.rows), n = static_cast<double>(problem.columns);
  const double element = static_cast<double>(kernels::element_size(problem.type));
  const std::string& operation = problem.operation;
  if (operation == "row_sum") return {m * n, element * m * n};
  if (operation == "implicit_round") return {2 * m * n, element * m * n};
  if (operation == "similarity_transform") return {2 * m * n, 2 * element * m * n};
  if (operation == "fused_round") return {3 * m * n, 2 * element * m * n};
  if (operation == "eigenvector") return {2 * m, 3 * element * m};
  return {m, element * m};
}

}  // namespace tessera::inline v0::eigen
