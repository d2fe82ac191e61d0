// Trials of the eigenpair's operations: random input, guard zones, every element against double.
#include "eigen/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "multiply/guarded.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {
namespace {

using multiplication::Guarded;

/// A matrix of rows x columns, or vectors of as many rows.
struct Size {
  std::size_t rows, columns;
  bool strided;
  std::uint64_t seed;
};

template <class T>
constexpr double kUnit = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;

/// Numbers of both signs, or positive ones.
template <Real T>
std::vector<T> numbers(std::size_t count, std::mt19937_64& random, double from = -2,
                       double to = 2) {
  std::uniform_real_distribution<T> uniform(static_cast<T>(from), static_cast<T>(to));
  std::vector<T> all(count);
  for (T& number : all) number = uniform(random);
  return all;
}

/// Counts elements, and the worst error in units of its bound.
class Judge {
 public:
  void compare(double value, double reference, double bound) {
    Verification& v = result_.verification;
    const double error = std::fabs(value - reference);
    v.elements++;
    const double ratio = error == 0 ? 0 : error / bound;
    if (!(ratio <= v.worst)) {
      v.worst = ratio <= 1e300 ? ratio : INFINITY;
      v.error_bound = bound;
    }
    v.max_error = std::max(v.max_error, std::isnan(error) ? INFINITY : error);
  }
  void expect(bool right, const char* otherwise) {
    if (!right && result_.failure.empty()) result_.failure = otherwise;
  }
  CheckResult finish(KernelRun ran) {
    result_.ran = std::move(ran);
    const Verification& v = result_.verification;
    if (!v.passed()) {
      result_.failure =
          fmt::format("largest error {:.3g}, {:.3g} of the bound", v.max_error, v.worst);
    }
    return std::move(result_);
  }

 private:
  CheckResult result_;
};

constexpr const char* kOutside = "memory outside the output was written";

template <Real T>
CheckResult check_row_sum(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const auto elements = numbers<T>(size.rows * size.columns, random);
  Guarded<T> a(engine, size.rows, size.columns, size.strided, elements);
  Guarded<T> s(engine, size.rows, 1, size.strided, std::vector<T>(size.rows, T(NAN)));
  KernelRun ran = row_sum<T>(s.view(), a.view(), kernel);
  Judge judge;
  const auto sums = s.inside();
  for (std::size_t i = 0; i < size.rows; i++) {
    long double sum = 0, magnitude = 0;
    for (std::size_t j = 0; j < size.columns; j++) {
      sum += elements[i * size.columns + j];
      magnitude += std::fabs(elements[i * size.columns + j]);
    }
    const double bound =
        static_cast<double>(magnitude) * kUnit<T> * static_cast<double>(size.columns + 1);
    judge.compare(sums[i], static_cast<double>(sum), bound);
  }
  judge.expect(a.intact() && s.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_vector_max(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  // All negative every other time.
  const auto elements = numbers<T>(size.rows, random, -2, size.seed % 2 == 0 ? -1 : 2);
  Guarded<T> x(engine, size.rows, 1, size.strided, elements);
  Guarded<T> maximum(engine, 1, 1, size.strided, {T(NAN)});
  KernelRun ran = vector_max<T>(maximum.view(), x.view(), kernel);
  Judge judge;
  judge.compare(maximum.inside()[0], *std::ranges::max_element(elements), 0);
  judge.expect(x.intact() && maximum.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_row_bounds(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const auto elements = numbers<T>(size.rows, random);
  Guarded<T> x(engine, size.rows, 1, size.strided, elements);
  Guarded<T> bounds(engine, 2, 1, size.strided, {T(NAN), T(NAN)});
  KernelRun ran = row_bounds<T>(bounds.view(), x.view(), kernel);
  Judge judge;
  judge.compare(bounds.inside()[0], *std::ranges::min_element(elements), 0);
  judge.compare(bounds.inside()[1], *std::ranges::max_element(elements), 0);
  judge.expect(x.intact() && bounds.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_eigenvector(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const auto sums = numbers<T>(size.rows, random, 0.1, 3), before = numbers<T>(size.rows, random);
  Guarded<T> s(engine, size.rows, 1, size.strided, sums),
      maximum(engine, 1, 1, size.strided, {T(3)});
  Guarded<T> v(engine, size.rows, 1, size.strided, before);
  KernelRun ran = eigenvector<T>(v.view(), s.view(), maximum.view(), kernel);
  Judge judge;
  const auto after = v.inside();
  for (std::size_t i = 0; i < size.rows; i++) {
    const double reference = static_cast<double>(before[i]) * sums[i] / 3;
    // OpenCL's division of floats is right to 2.5 units in the last place.
    judge.compare(after[i], reference, 8 * kUnit<T> * std::fabs(reference));
  }
  judge.expect(s.intact() && maximum.intact() && v.intact(), kOutside);
  return judge.finish(std::move(ran));
}

/// b = a * s_j / s_i, judged element by element; returns its row sums with their magnitudes.
template <Real T>
void judge_transform(const Size& size, const std::vector<T>& a, const std::vector<T>& s,
                     const std::vector<T>& b, Judge& judge) {
  const std::size_t n = size.rows;
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) {
      const double reference = static_cast<double>(a[i * n + j]) * s[j] / s[i];
      judge.compare(b[i * n + j], reference, 8 * kUnit<T> * std::fabs(reference));
    }
  }
}

template <Real T>
CheckResult check_similarity_transform(const Engine& engine, const Size& size,
                                       const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const std::size_t n = size.rows;
  const auto elements = numbers<T>(n * n, random), sums = numbers<T>(n, random, 0.1, 3);
  Guarded<T> a(engine, n, n, size.strided, elements), s(engine, n, 1, size.strided, sums);
  const bool in_place = size.seed % 2 == 0;
  Guarded<T> b(engine, n, n, size.strided, std::vector<T>(n * n, T(NAN)));
  Guarded<T>& output = in_place ? a : b;
  KernelRun ran = similarity_transform<T>(output.view(), a.view(), s.view(), kernel);
  Judge judge;
  judge_transform(size, elements, sums, output.inside(), judge);
  judge.expect(a.intact() && s.intact() && b.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_fused_round(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const std::size_t n = size.rows;
  const auto elements = numbers<T>(n * n, random), sums = numbers<T>(n, random, 0.1, 3);
  Guarded<T> a(engine, n, n, size.strided, elements), s(engine, n, 1, false, sums);
  const bool in_place = size.seed % 2 == 0;
  Guarded<T> b(engine, n, n, size.strided, std::vector<T>(n * n, T(NAN)));
  Guarded<T> t(engine, n, 1, size.strided, std::vector<T>(n, T(NAN)));
  Guarded<T>& output = in_place ? a : b;
  KernelRun ran = fused_round<T>(output.view(), t.view(), a.view(), s.view(), kernel);
  Judge judge;
  const auto transformed = output.inside(), next = t.inside();
  judge_transform(size, elements, sums, transformed, judge);
  for (std::size_t i = 0; i < n; i++) {
    double sum = 0, magnitude = 0;
    for (std::size_t j = 0; j < n; j++) {
      sum += transformed[i * n + j];
      magnitude += std::fabs(transformed[i * n + j]);
    }
    judge.compare(next[i], sum, static_cast<double>(n + 1) * kUnit<T> * magnitude);
  }
  judge.expect(a.intact() && s.intact() && b.intact() && t.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_stop(const Engine& engine, const Size& size, const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  std::vector<T> sums(size.rows, T(5));
  // One that differs, anywhere, or none.
  if (size.seed % 3 != 0) sums[random() % size.rows] += size.seed % 3 == 1 ? T(0.5) : T(NAN);
  bool agree = true;
  for (std::size_t i = 0; i < size.rows; i++)
    agree = agree && std::fabs(sums[i] - sums[(i + 1) % size.rows]) < T(0.25);
  Guarded<T> s(engine, size.rows, 1, size.strided, sums);
  Guarded<std::int32_t> converged(engine, 1, 1, size.strided, {77});
  KernelRun ran = stop<T>(converged.view(), s.view(), T(0.25), kernel);
  Judge judge;
  judge.compare(converged.inside()[0], agree ? 1 : 0, 0);
  judge.expect(s.intact() && converged.intact(), kOutside);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_implicit_round(const Engine& engine, const Size& size,
                                 const KernelChoice& kernel) {
  std::mt19937_64 random(size.seed);
  const std::size_t n = size.rows, guard = 64;
  const auto elements = numbers<T>(n * n, random, 0, 2);
  auto vector = numbers<double>(n, random, 0.1, 3);
  Guarded<T> a(engine, n, n, size.strided, elements);
  const std::vector<double> poisoned(n + guard, NAN);
  const Matrix<double> p(engine, n, 1, vector);
  Matrix<double> q(engine, n + guard, 1, poisoned), s(engine, n + guard, 1, poisoned);
  KernelRun ran =
      implicit_round<T>(q.block(0, 0, n, 1), s.block(0, 0, n, 1), a.view(), p.view(), kernel);
  Judge judge;
  const auto product = q.to_host(), ratios = s.to_host();
  for (std::size_t i = 0; i < n; i++) {
    long double sum = 0;
    for (std::size_t j = 0; j < n; j++)
      sum += static_cast<long double>(elements[i * n + j]) * vector[j];
    const double bound = static_cast<double>(sum) * 0x1p-53 * static_cast<double>(n + 2);
    judge.compare(product[i], static_cast<double>(sum), bound);
    judge.compare(ratios[i], static_cast<double>(sum / vector[i]), 2 * bound / vector[i]);
  }
  for (std::size_t i = n; i < n + guard; i++)
    judge.expect(std::isnan(product[i]) && std::isnan(ratios[i]), kOutside);
  judge.expect(a.intact() && p.to_host() == vector, kOutside);
  return judge.finish(std::move(ran));
}

using Check = CheckResult (*)(const Engine&, const Size&, const KernelChoice&);

struct Row {
  const char* operation;
  Check for_float, for_double;
};

constexpr std::array kRows = {
    Row{"row_sum", check_row_sum<float>, check_row_sum<double>},
    Row{"vector_max", check_vector_max<float>, check_vector_max<double>},
    Row{"row_bounds", check_row_bounds<float>, check_row_bounds<double>},
    Row{"eigenvector", check_eigenvector<float>, check_eigenvector<double>},
    Row{"similarity_transform", check_similarity_transform<float>,
        check_similarity_transform<double>},
    Row{"stop", check_stop<float>, check_stop<double>},
    Row{"fused_round", check_fused_round<float>, check_fused_round<double>},
    Row{"implicit_round", check_implicit_round<float>, check_implicit_round<double>}};

}  // namespace

std::vector<CheckCase> check_cases(const std::string& operation, ElementType type, bool defaults,
                                   std::size_t largest) {
  const auto row =
      std::ranges::find_if(kRows, [&](const Row& r) { return operation == r.operation; });
  const Check trial = type == ElementType::float64 ? row->for_double : row->for_float;
  std::vector<std::size_t> sizes = {1, 2, 3, 16, 31, 65, 131, 259};
  if (defaults) sizes.insert(sizes.end(), {7, 15, 17, 32, 33, 63, 64, 127, 128, 257, 521, 1031});
  std::vector<CheckCase> all;
  for (const std::size_t n : sizes) {
    if (n > largest) continue;
    const std::size_t turn = all.size();
    // Only row sums are of matrices that are not square.
    const std::size_t columns =
        operation == "row_sum" ? (turn % 2 == 0 ? n + 2 : 3 * n / 4 + 1) : n;
    const Size size{n, std::min(columns, largest), turn % 3 == 1, turn + 1};
    all.push_back(
        {fmt::format("{} x {}{}", size.rows, size.columns, size.strided ? ", strided" : ""),
         [trial, size](const Engine& engine, const KernelChoice& kernel) {
           return trial(engine, size, kernel);
         }});
  }
  return all;
}

}  // namespace tessera::inline v0::eigen
