// RandomTrial: one random product, run and judged.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <tessera/tessera.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "exact_product.hpp"
#include "random_operands.hpp"
#include "support/transposed_if.hpp"

namespace tessera::test {

/// Counts of a run.
struct Totals {
  std::size_t products = 0, elements = 0, unbounded = 0, refused = 0, failures = 0;
  std::map<std::string, double> worst;
  std::map<std::string, std::size_t> ran, drawn;  ///< by kernel, by type
};

/// A product of operands of T with results of Output.
template <Element T, Element Output>
class RandomTrial {
 public:
  RandomTrial(const Engine& engine, Random& random, const Problem& problem)
      : problem_(problem),
        matrix_vector_(problem.operation == "matrix_vector"),
        flushes_(!capabilities(engine).has_float_denormals) {
    problem_.alpha = factor(problem.alpha);
    problem_.beta = factor(problem.beta);
    const auto shape = [&](std::size_t rows, std::size_t columns, bool transposed) {
      if (transposed) std::swap(rows, columns);
      return Placement{
          .rows = rows, .columns = columns, .count = problem.batch, .transposed = transposed};
    };
    at_ = {shape(problem.m, problem.k, is_transposed(problem.op_a)),
           shape(problem.k, problem.n, is_transposed(problem.op_b)),
           shape(problem.m, problem.n, matrix_vector_ && random.chance(0.5))};
    const auto sizes = place(random, at_);
    for (const auto& size : sizes) homes_.add(size);
    if constexpr (!kOneType) {
      outputs_.add(sizes[at_[2].home]);
      at_[2].home = 0;
    }
    fill(random);
    homes_.upload(engine);
    if constexpr (!kOneType) outputs_.upload(engine);
  }

  KernelRun run(const KernelChoice& kernel) {
    const auto& [at_a, at_b, at_c] = at_;
    const auto a = viewed<T>(homes_.view(at_a), problem_.op_a);
    const MultiplyOptions options{.alpha = problem_.alpha,
                                  .beta = problem_.beta,
                                  .kernel = kernel,
                                  .accuracy = problem_.mode.accuracy};
    const auto b = viewed<T>(homes_.view(at_b), problem_.op_b);
    const auto output = homes_of_c().view(at_c);
    if constexpr (kOneType) {
      if (matrix_vector_) return matrix_vector_into(output.first, a.first, b.first, options);
    }
    if (problem_.batch != 1) return multiply_batched_into(output, a, b, options);
    return multiply_into(output.first, a.first, b.first, options);
  }

  /// Describes what is wrong with the result; empty if nothing is.
  std::string failure(bool ran, Totals& totals) {
    const auto before = homes_of_c().host[at_[2].home];
    bool intact = only_c_changed(homes_, kOneType && ran);
    if constexpr (!kOneType) intact = only_c_changed(outputs_, ran) && intact;
    if (!intact) return "memory outside of c was written";
    if (!ran) return "";
    if constexpr (kIsComplex<T>) {
      return judge_complex(before, totals);
    } else {
      return judge(before, totals);
    }
  }

 private:
  static constexpr bool kOneType = std::is_same_v<T, Output>;

  /// The factor that the type of the sums holds.
  static Scalar factor(const Scalar& wanted) {
    using Factor = std::conditional_t<kIsShort<T>, float, ProductElement<T>>;
    if constexpr (kIsComplex<T>) {
      using Part = typename T::value_type;
      return T(static_cast<Part>(wanted.real()), static_cast<Part>(wanted.imaginary()));
    } else {
      return static_cast<double>(static_cast<Factor>(wanted.real()));
    }
  }

  Homes<Output>& homes_of_c() {
    if constexpr (kOneType) {
      return homes_;
    } else {
      return outputs_;
    }
  }

  /// Downloads the operands; outside of c, and in c unless it was written, no bit may have changed.
  template <class Number>
  bool only_c_changed(Homes<Number>& homes, bool with_c) const {
    bool intact = true;
    for (std::size_t i = 0; i < homes.host.size(); i++) {
      auto before = homes.device[i].to_host();
      std::swap(homes.host[i], before);
      auto rest = homes.host[i];
      if (with_c && i == at_[2].home)
        each_of_c([&](std::size_t index, auto...) { rest[index] = before[index]; });
      intact = std::memcmp(rest.data(), before.data(), rest.size() * sizeof(Number)) == 0 && intact;
    }
    return intact;
  }

  template <class Function>
  void each_of_c(Function&& function) const {
    for (std::size_t product = 0; product < problem_.batch; product++) {
      for (std::size_t i = 0; i < problem_.m; i++) {
        for (std::size_t j = 0; j < problem_.n; j++)
          function(at_[2].index(product, i, j), product, i, j);
      }
    }
  }

  template <class Number>
  Number& element_in(Homes<Number>& homes, std::size_t operand, std::size_t product, std::size_t i,
                     std::size_t j) const {
    return homes.host[at_[operand].home][at_[operand].index(product, i, j)];
  }
  /// An element of a or b.
  T& element(std::size_t operand, std::size_t product, std::size_t i, std::size_t j) {
    return element_in(homes_, operand, product, i, j);
  }

  /// Fills the operands; elements that must not be read stay poisoned.
  void fill(Random& random) {
    const std::size_t k = problem_.alpha == 0 ? 0 : problem_.k;
    fill(random, homes_, 0, problem_.m, k);
    fill(random, homes_, 1, k, problem_.n);
    if (problem_.beta != 0) fill(random, homes_of_c(), 2, problem_.m, problem_.n);
    if constexpr (!kIsComplex<T>) {
      if (random.chance(0.15)) cancel(random, k);
    }
  }

  /// Numbers that the device may flush to zero are replaced by zero.
  template <class Number>
  void fill(Random& random, Homes<Number>& homes, std::size_t operand, std::size_t rows,
            std::size_t columns) {
    const auto kind = random.of(kNumbers);
    for (std::size_t product = 0; product < problem_.batch; product++) {
      for (std::size_t i = 0; i < rows; i++) {
        for (std::size_t j = 0; j < columns; j++) {
          const auto number = random_number<Number>(random, kind);
          element_in(homes, operand, product, i, j) = is_flushed(number) ? Number() : number;
        }
      }
    }
    if (std::integral<Number> || rows * columns * problem_.batch == 0 || !random.chance(0.07))
      return;
    static const std::array<double, 3> kSpecial = {std::numeric_limits<double>::infinity(),
                                                   -std::numeric_limits<double>::infinity(),
                                                   std::numeric_limits<double>::quiet_NaN()};
    for (std::size_t n = random.between(1, 3); n > 0; n--) {
      const std::size_t product = random.below(problem_.batch), i = random.below(rows),
                        j = random.below(columns);
      const double special = random.of(kSpecial);
      Number& changed = element_in(homes, operand, product, i, j);
      if constexpr (kIsComplex<Number>) {
        using Part = typename Number::value_type;
        changed = random.chance(0.5) ? Number(static_cast<Part>(special), changed.imag())
                                     : Number(changed.real(), static_cast<Part>(special));
      } else {
        changed = narrowed<Number>(special);
      }
    }
  }

  /// True if the device may treat the number, or a part of it, as 0.
  template <class Number>
  bool is_flushed(Number number) const {
    constexpr float kSmallest = std::numeric_limits<float>::min();
    if constexpr (std::is_same_v<Number, std::complex<float>>) {
      return flushes_ && std::min(std::fabs(number.real()), std::fabs(number.imag())) < kSmallest;
    } else if constexpr (std::is_same_v<Number, float> || std::is_same_v<Number, bfloat16>) {
      return flushes_ && std::fabs(widened(number)) < kSmallest;
    } else {
      return false;
    }
  }

  /// Makes every second term cancel the one before it, sometimes except for a unit in the last
  /// place.
  void cancel(Random& random, std::size_t k) {
    for (std::size_t product = 0; product < problem_.batch; product++) {
      for (std::size_t p = 1; p < k; p += 2) {
        for (std::size_t i = 0; i < problem_.m; i++)
          element(0, product, i, p) = element(0, product, i, p - 1);
        for (std::size_t j = 0; j < problem_.n; j++) {
          const double opposite = -widened(element(1, product, p - 1, j));
          const double factor = random.chance(0.1) && !std::integral<T> ? 1 + 0x1p-23 : 1;
          element(1, product, p, j) =
              std::integral<T> && opposite > widened(std::numeric_limits<T>::max())
                  ? element(1, product, p - 1, j)
                  : narrowed<T>(opposite * factor);
        }
      }
    }
  }

  std::string judge(const std::vector<Output>& before, Totals& totals) {
    const std::size_t k = problem_.alpha == 0 ? 0 : problem_.k;
    ExactProduct<T, Output> exact(k, problem_.alpha.real(), problem_.beta.real(),
                                  problem_.mode.accuracy);
    std::string failure;
    std::vector<double> rows(problem_.m * k), columns(problem_.n * k);
    const auto& after = homes_of_c().host[at_[2].home];
    each_of_c([&](std::size_t index, std::size_t product, std::size_t i, std::size_t j) {
      if (i == 0 && j == 0) {
        for (std::size_t p = 0; p < k; p++) {
          for (std::size_t r = 0; r < problem_.m; r++)
            rows[r * k + p] = widened(element(0, product, r, p));
          for (std::size_t c = 0; c < problem_.n; c++)
            columns[c * k + p] = widened(element(1, product, p, c));
        }
      }
      const double computed = widened(after[index]);
      const Judgement judgement =
          exact.judge(rows.data() + i * k, columns.data() + j * k, widened(before[index]), computed,
                      totals.elements++ % 256 == 0);
      if (judgement == Judgement::unbounded) totals.unbounded++;
      if (judgement != Judgement::wrong || !failure.empty()) return;
      std::array<char, 200> text{};
      std::snprintf(text.data(), text.size(),
                    "element (%zu, %zu) of product %zu is %.17g instead of %.17g +- %.3g", i, j,
                    product, computed, exact.value(), exact.error());
      failure = text.data();
    });
    double& worst = totals.worst[to_string(problem_.types) +
                                 (problem_.mode.accuracy == Accuracy::bounded ? " bounded" : "")];
    worst = std::max(worst, exact.worst());
    return failure;
  }

  /// The same against verify_multiply(), product by product.
  std::string judge_complex(const std::vector<Output>& before, Totals& totals) {
    const std::size_t m = problem_.m, n = problem_.n, k = problem_.alpha == 0 ? 0 : problem_.k;
    const auto& after = homes_of_c().host[at_[2].home];
    const MultiplyOptions factors{.alpha = problem_.alpha, .beta = problem_.beta};
    std::vector<T> a(m * k), b(k * n), old(m * n), c(m * n);
    Verification all;
    for (std::size_t product = 0; product < problem_.batch; product++) {
      for (std::size_t p = 0; p < k; p++) {
        for (std::size_t i = 0; i < m; i++) a[i * k + p] = element(0, product, i, p);
        for (std::size_t j = 0; j < n; j++) b[p * n + j] = element(1, product, p, j);
      }
      for (std::size_t i = 0; i < m; i++) {
        for (std::size_t j = 0; j < n; j++) {
          const std::size_t index = at_[2].index(product, i, j);
          old[i * n + j] = before[index];
          c[i * n + j] = after[index];
        }
      }
      const auto conjugated = [](Op op) { return op_if(false, is_conjugated(op)); };
      all.merge(verify_multiply(HostProduct<T>{m, n, k, a, b, old, c, conjugated(problem_.op_a),
                                               conjugated(problem_.op_b)},
                                factors));
    }
    totals.elements += all.elements;
    totals.unbounded += all.unbounded;
    double& worst = totals.worst[to_string(problem_.types)];
    worst = std::max(worst, all.worst);
    return all.passed() ? "" : "error " + std::to_string(all.worst) + " of its bound";
  }

  Problem problem_;
  bool matrix_vector_, flushes_;
  std::array<Placement, 3> at_;
  Homes<T> homes_;
  Homes<Output> outputs_;  ///< matrices of c, if its type differs
};

}  // namespace tessera::test
