// Class by class: small ones on the host, large ones by rounds with a shift; then one interval and
// one vector for all.
#include "eigen/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "eigen/cancelled.hpp"
#include "eigen/classes.hpp"
#include "eigen/irreducible.hpp"
#include "eigen/phase_log.hpp"
#include "eigen/residual.hpp"
#include "eigen/solve.hpp"
#include "operands/numbers.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using Double = std::numeric_limits<double>;

constexpr const char* kPhase = "irreducible blocks";

/// fraction * 2^exponent: components of a vector may lie further apart than doubles do.
struct Component {
  double fraction = 0;
  std::int64_t exponent = 0;
};

int clamped(std::int64_t exponent) {
  return static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000));
}

/// value * 2^exponent, rounded down or up.
double scaled_down(double value, int exponent) {
  const double result = std::ldexp(value, exponent);
  if (result > Double::max()) return Double::max();
  return std::ldexp(result, -exponent) > value ? std::nextafter(result, 0) : result;
}
double scaled_up(double value, int exponent) {
  const double result = std::ldexp(value, exponent);
  return std::ldexp(result, -exponent) < value ? std::nextafter(result, Double::infinity())
                                               : result;
}

/// A class with bounds of its root and a vector 2^exponents * vector of its own.
struct Solved {
  double lower = 0, upper = 0;
  std::vector<double> vector = {1};
  std::vector<int> exponents = {0};
};

class Completion {
 public:
  Completion(const detail::Operand& a, const EigenOptions& options)
      : operand_(a),
        options_(options),
        n_(a.rows()),
        a_(operands::numbers_of(a)),
        classes_(classes_of(a_, n_)) {}

  detail::EigenPairOperand pair(detail::EigenPairOperand found) {
    double lower = 0, upper = 0;
    for (const Class& members : classes_) {
      const Solved& solved = solved_.emplace_back(solve(members, lower));
      lower = std::max(lower, solved.lower);
      upper = std::max(upper, solved.upper);
      if (options_.progress) options_.progress({kPhase, found.rounds, lower, upper});
      if (solved_.size() < classes_.size()) throw_if_cancelled(options_);
    }
    log_phase({kPhase, found.rounds, lower, upper},
              fmt::format("{} of them, the largest with {} rows", classes_.size(),
                          std::ranges::max(classes_, {}, &Class::size).size()));
    // The first class with the root: those with access to it come before, and have smaller ones.
    const auto basic = [&](const Solved& solved) { return solved.upper >= lower; };
    const auto first = std::ranges::find_if(solved_, basic);
    require_agreement(found, lower, upper);
    found.structure = structure(static_cast<std::size_t>(std::ranges::count_if(solved_, basic)));
    found.lower = std::max(found.lower, lower);
    found.upper = std::min(found.upper, upper);
    found.value = found.lower;
    if (found.upper < Double::infinity()) found.value += (found.upper - found.lower) / 2;
    const auto vector = eigenvector(static_cast<std::size_t>(first - solved_.begin()), found.value);
    found.residual = residual_of(a_, vector, found.value);
    operands::upload(found.vector, vector);
    found.converged = found.upper < Double::infinity() &&
                      found.upper - found.lower <= options_.tolerance * found.upper;
    found.reason = found.converged ? EigenReason::converged : EigenReason::stalled;
    return found;
  }

 private:
  /// Throws UnsupportedError if the device's interval and the host's have no value in common.
  void require_agreement(const EigenResult& found, double lower, double upper) const {
    if (found.lower <= upper && lower <= found.upper) return;
    throw UnsupportedError(
        "dominant_eigenpair",
        fmt::format("{} computes wrong: its eigenvalue is from {} to {}, the host's from {} to {}",
                    operand_.stream->context().device().info.name, found.lower, found.upper, lower,
                    upper),
        ErrorCode::failed_check);
  }

  EigenStructure structure(std::size_t basic) const {
    EigenStructure result{.kind = EigenStructure::Kind::reducible,
                          .classes = classes_.size(),
                          .basic_classes = basic};
    if (classes_.size() > 1) return result;
    result.period = period_of(a_, n_, classes_.front());
    result.kind = result.period > 1    ? EigenStructure::Kind::periodic
                  : result.period == 1 ? EigenStructure::Kind::primitive
                                       : EigenStructure::Kind::reducible;  // the 1 x 1 zero
    return result;
  }

  double at(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }

  std::vector<double> block_of(const Class& members) const {
    std::vector<double> block;
    block.reserve(members.size() * members.size());
    for (const std::size_t i : members) {
      for (const std::size_t j : members) block.push_back(at(i, j));
    }
    return block;
  }

  /// Bounds a class's root to the tolerance, or until the root is known to be below `enough`.
  Solved solve(const Class& members, double enough) const {
    if (members.size() == 1) {
      const double element = at(members.front(), members.front());
      return {element, element};
    }
    const auto block = block_of(members);
    ScaledMatrix a = balanced(block, members.size());
    const int root = a.root;
    enough = scaled_down(enough, -root);
    const double work = multiplications(block, members.size(), kMostMultiplications);
    std::optional<Root> found;
    if (work > kFewMultiplications) found = root_by_rounds(a);
    if (!found || (work <= kMostMultiplications && !ends(found->certificate, enough)))
      found = find_root(std::move(a), options_.tolerance, enough);
    return {scaled_down(found->certificate.lower, root), scaled_up(found->certificate.upper, root),
            std::move(found->vector), std::move(found->exponents)};
  }

  bool ends(const Certificate& certificate, double enough) const {
    return certificate.upper < enough ||
           certificate.upper - certificate.lower <= options_.tolerance * certificate.upper;
  }

  /// Finds the root by rounds with A + shift, which has period 1 and the eigenvectors of A. The
  /// certificate is computed with A itself. No row sum overflows because the elements are below 2
  /// and the shift is below the largest row sum.
  Root root_by_rounds(const ScaledMatrix& a) const {
    const std::size_t size = a.size();
    Root by_ones = rated(a, std::vector<double>(size, 1)).value();
    const double largest = *std::ranges::max_element(by_ones.ratios);
    std::vector<double> shifted(a.elements.begin(), a.elements.end());
    for (std::size_t i = 0; i < size; i++)
      shifted[i * (size + 1)] += std::ldexp(1, std::ilogb(largest) - 2);
    EigenOptions options = options_;
    options.method = EigenMethod::implicit;
    options.stop = StopTest::bounds;
    options.tolerance /= 4;
    options.acceleration = Acceleration::krylov;
    options.wait_for.clear();
    const auto matrix = operands::matrix_of(options.stream.value_or(detail::stream_of(operand_)),
                                            operand_.type, size, size, shifted);
    const auto plans = checked_plans(*operand_.stream, operand_.type, size, options);
    auto components = operands::numbers_of(eigen::solve(plans, matrix, options).vector);
    return rated(a, std::move(components)).value_or(std::move(by_ones));
  }

  /// The eigenvector with the root of class `basic`, which is `value`; largest component 1.
  std::vector<double> eigenvector(std::size_t basic, double value) const {
    std::vector<Component> vector(n_);
    const Solved& root = solved_[basic];
    const auto store = [&](const Class& members, std::span<const double> fractions,
                           std::span<const int> exponents, std::int64_t exponent) {
      for (std::size_t k = 0; k < members.size(); k++)
        vector[members[k]] = {fractions[k], exponents[k] + exponent};
    };
    store(classes_[basic], root.vector, root.exponents, 0);
    for (std::size_t c = basic; c-- > 0;) {
      const auto [fractions, exponent] = continued(c, value, vector);
      if (!fractions.empty()) store(classes_[c], fractions, solved_[c].exponents, exponent);
    }
    return normalised(vector);
  }

  /// Class `c` of the vector, whose components in the classes after it are known:
  /// (value - A_cc) v_c = the sum of A_cd v_d over those. Relative to the class's own exponents,
  /// and with an exponent for all. Empty where all is zero.
  std::pair<std::vector<double>, std::int64_t> continued(
      std::size_t c, double value, const std::vector<Component>& vector) const {
    const Class& members = classes_[c];
    const Solved& solved = solved_[c];
    const int root = std::ilogb(value);
    std::vector<Component> sums(members.size());
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t k = 0; k < members.size(); k++) {
      sums[k] = sum_of_row(members[k], vector);
      if (sums[k].fraction == 0) continue;
      sums[k].exponent -= solved.exponents[k] + root;
      highest = std::max(highest, sums[k].exponent + std::ilogb(sums[k].fraction));
    }
    if (highest == std::numeric_limits<std::int64_t>::min()) return {};
    std::vector<double> b(members.size());
    for (std::size_t k = 0; k < members.size(); k++)
      b[k] = std::ldexp(sums[k].fraction, clamped(sums[k].exponent - highest));
    const double shift = std::ldexp(value, -root);
    const auto block = block_of(members);
    const ScaledMatrix a = scaled(block, solved.exponents, root);
    auto solution = solve_below(a, shift, solved.vector, ratios_of(a, solved.vector), std::move(b));
    return {std::move(solution), highest};
  }

  /// The sum of a_ij v_j over row i.
  Component sum_of_row(std::size_t i, const std::vector<Component>& vector) const {
    std::vector<Component> terms;
    for (std::size_t j = 0; j < n_; j++) {
      if (vector[j].fraction == 0 || !(at(i, j) > 0)) continue;
      const int exponent = std::ilogb(at(i, j));
      terms.push_back(
          {std::ldexp(at(i, j), -exponent) * vector[j].fraction, vector[j].exponent + exponent});
    }
    if (terms.empty()) return {};
    const std::int64_t highest = std::ranges::max(terms, {}, &Component::exponent).exponent;
    double sum = 0;
    for (const Component& term : terms)
      sum += std::ldexp(term.fraction, clamped(term.exponent - highest));
    return {sum, highest};
  }

  /// Rounded to the matrix's type.
  std::vector<double> normalised(const std::vector<Component>& vector) const {
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (const auto& [fraction, exponent] : vector) {
      if (fraction > 0) highest = std::max(highest, exponent + std::ilogb(fraction));
    }
    std::vector<double> wide(vector.size());
    std::ranges::transform(vector, wide.begin(), [&](const Component& component) {
      return std::ldexp(component.fraction, clamped(component.exponent - highest));
    });
    const double largest = *std::ranges::max_element(wide);
    for (double& component : wide)
      component = operands::rounded(operand_.type, component / largest);
    return wide;
  }

  const detail::Operand& operand_;
  const EigenOptions& options_;
  std::size_t n_;
  std::vector<double> a_;
  std::vector<Class> classes_;
  std::vector<Solved> solved_;
};

}  // namespace

detail::EigenPairOperand complete(const detail::Operand& a, const EigenOptions& options,
                                  detail::EigenPairOperand found) {
  return Completion(a, options).pair(std::move(found));
}

}  // namespace tessera::inline v0::eigen
