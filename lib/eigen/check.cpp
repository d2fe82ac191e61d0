// Checks of the eigenpair's operations: random input, guard zones, every element against double.
#include "eigen/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "eigen/judge.hpp"
#include "eigen/reference.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {
namespace {

using reference::Guarded;

/// Compares b_ij with a_ij * s_j / s_i, element by element.
template <Real T>
void judge_transform(const CheckCase& check_case, const std::vector<T>& a, const std::vector<T>& s,
                     const std::vector<T>& b, Judge& judge) {
  const std::size_t n = check_case.problem.m;
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) {
      judge.compare(b[i * n + j], reference_quotient<T>(a[i * n + j], s[j], s[i]));
    }
  }
}

}  // namespace

template <Real T>
CheckResult check_row_sum(const Engine& engine, const CheckCase& check_case,
                          const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  const auto elements = numbers<T>(check_case.problem.m * check_case.problem.n, random);
  Guarded<T> a(engine, check_case.problem.m, check_case.problem.n, check_case.strided, elements);
  Guarded<T> s(engine, check_case.problem.m, 1, check_case.strided,
               std::vector<T>(check_case.problem.m, T(NAN)));
  KernelRun ran = row_sum<T>(s.view(), a.view(), {.kernel = kernel});
  Judge judge;
  const auto sums = s.inside();
  for (std::size_t i = 0; i < check_case.problem.m; i++) {
    const T* const row = elements.data() + i * check_case.problem.n;
    judge.compare(sums[i],
                  reference_sum<T>(check_case.problem.n, [&](std::size_t j) { return row[j]; }));
  }
  judge.expect(a.intact() && s.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_vector_max(const Engine& engine, const CheckCase& check_case,
                             const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  // With every other seed all elements are negative.
  const auto elements =
      numbers<T>(check_case.problem.m, random, -2, check_case.seed % 2 == 0 ? -1 : 2);
  Guarded<T> x(engine, check_case.problem.m, 1, check_case.strided, elements);
  Guarded<T> maximum(engine, 1, 1, check_case.strided, {T(NAN)});
  KernelRun ran = vector_max<T>(maximum.view(), x.view(), {.kernel = kernel});
  Judge judge;
  judge.compare(maximum.inside()[0], {*std::ranges::max_element(elements), 0});
  judge.expect(x.intact() && maximum.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_row_bounds(const Engine& engine, const CheckCase& check_case,
                             const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  const auto elements = numbers<T>(check_case.problem.m, random);
  Guarded<T> x(engine, check_case.problem.m, 1, check_case.strided, elements);
  Guarded<T> bounds(engine, 2, 1, check_case.strided, {T(NAN), T(NAN)});
  KernelRun ran = row_bounds<T>(bounds.view(), x.view(), {.kernel = kernel});
  Judge judge;
  judge.compare(bounds.inside()[0], {*std::ranges::min_element(elements), 0});
  judge.compare(bounds.inside()[1], {*std::ranges::max_element(elements), 0});
  judge.expect(x.intact() && bounds.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_eigenvector(const Engine& engine, const CheckCase& check_case,
                              const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  const auto sums = numbers<T>(check_case.problem.m, random, 0.1, 3),
             before = numbers<T>(check_case.problem.m, random);
  Guarded<T> s(engine, check_case.problem.m, 1, check_case.strided, sums),
      maximum(engine, 1, 1, check_case.strided, {T(3)});
  Guarded<T> v(engine, check_case.problem.m, 1, check_case.strided, before);
  KernelRun ran = eigenvector<T>(v.view(), s.view(), maximum.view(), {.kernel = kernel});
  Judge judge;
  const auto after = v.inside();
  for (std::size_t i = 0; i < check_case.problem.m; i++)
    judge.compare(after[i], reference_quotient<T>(before[i], sums[i], 3));
  judge.expect(s.intact() && maximum.intact() && v.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_similarity_transform(const Engine& engine, const CheckCase& check_case,
                                       const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  const std::size_t n = check_case.problem.m;
  const auto elements = numbers<T>(n * n, random), sums = numbers<T>(n, random, 0.1, 3);
  Guarded<T> a(engine, n, n, check_case.strided, elements),
      s(engine, n, 1, check_case.strided, sums);
  const bool in_place = check_case.seed % 2 == 0;
  Guarded<T> b(engine, n, n, check_case.strided, std::vector<T>(n * n, T(NAN)));
  Guarded<T>& output = in_place ? a : b;
  KernelRun ran = similarity_transform<T>(output.view(), a.view(), s.view(), {.kernel = kernel});
  Judge judge;
  judge_transform(check_case, elements, sums, output.inside(), judge);
  judge.expect(a.intact() && s.intact() && b.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_fused_round(const Engine& engine, const CheckCase& check_case,
                              const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  const std::size_t n = check_case.problem.m;
  const auto elements = numbers<T>(n * n, random), sums = numbers<T>(n, random, 0.1, 3);
  Guarded<T> a(engine, n, n, check_case.strided, elements), s(engine, n, 1, false, sums);
  const bool in_place = check_case.seed % 2 == 0;
  Guarded<T> b(engine, n, n, check_case.strided, std::vector<T>(n * n, T(NAN)));
  Guarded<T> t(engine, n, 1, check_case.strided, std::vector<T>(n, T(NAN)));
  Guarded<T>& output = in_place ? a : b;
  KernelRun ran = fused_round<T>(output.view(), t.view(), a.view(), s.view(), {.kernel = kernel});
  Judge judge;
  const auto transformed = output.inside(), next = t.inside();
  judge_transform(check_case, elements, sums, transformed, judge);
  for (std::size_t i = 0; i < n; i++) {
    const T* const row = transformed.data() + i * n;
    judge.compare(next[i], reference_sum<T>(n, [&](std::size_t j) { return row[j]; }));
  }
  judge.expect(a.intact() && s.intact() && b.intact() && t.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

template <Real T>
CheckResult check_stop(const Engine& engine, const CheckCase& check_case,
                       const KernelChoice& kernel) {
  std::mt19937_64 random(check_case.seed);
  std::vector<T> sums(check_case.problem.m, T(5));
  // One sum that differs or is NaN, at a random place, or none.
  if (check_case.seed % 3 != 0)
    sums[random() % check_case.problem.m] += check_case.seed % 3 == 1 ? T(0.5) : T(NAN);
  Guarded<T> s(engine, check_case.problem.m, 1, check_case.strided, sums);
  Guarded<std::int32_t> converged(engine, 1, 1, check_case.strided, {77});
  KernelRun ran = stop<T>(converged.view(), s.view(), T(0.25), {.kernel = kernel});
  Judge judge;
  judge.compare(converged.inside()[0], {reference_stop<T>(sums, T(0.25)) ? 1.0 : 0.0, 0});
  judge.expect(s.intact() && converged.intact(), reference::kOutsideWritten);
  return judge.finish(std::move(ran));
}

#define TESSERA_CHECKS(T)                                                                          \
  template CheckResult check_row_sum<T>(const Engine&, const CheckCase&, const KernelChoice&);     \
  template CheckResult check_vector_max<T>(const Engine&, const CheckCase&, const KernelChoice&);  \
  template CheckResult check_row_bounds<T>(const Engine&, const CheckCase&, const KernelChoice&);  \
  template CheckResult check_eigenvector<T>(const Engine&, const CheckCase&, const KernelChoice&); \
  template CheckResult check_similarity_transform<T>(const Engine&, const CheckCase&,              \
                                                     const KernelChoice&);                         \
  template CheckResult check_stop<T>(const Engine&, const CheckCase&, const KernelChoice&);        \
  template CheckResult check_fused_round<T>(const Engine&, const CheckCase&, const KernelChoice&);
TESSERA_CHECKS(float)
TESSERA_CHECKS(double)
#undef TESSERA_CHECKS

}  // namespace tessera::inline v0::eigen
