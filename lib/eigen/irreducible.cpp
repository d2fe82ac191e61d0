// Noda's iteration, and elimination without subtractions.
#include "eigen/irreducible.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/fma.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// The sum of row i of A times v, and what its rounding lost (Ogita, Rump and Oishi, "Accurate sum
/// and dot product", SIAM J. Sci. Comput. 26, 2005).
double product_of_row(const ScaledMatrix& a, std::size_t i, std::span<const double> v) {
  const double* const row = a.elements.data() + i * a.size();
  double high = 0, low = 0;
  for (std::size_t j = 0; j < a.size(); j++) {
    if (row[j] == 0) continue;
    const double product = row[j] * v[j], sum = high + product, of_product = sum - high;
    low += ((high - (sum - of_product)) + (product - of_product)) +
           runtime::fma(row[j], v[j], -product);
    high = sum;
  }
  return high + low;
}

/// A positive vector of a matrix, which others share.
struct Point {
  std::shared_ptr<const ScaledMatrix> matrix;
  Root root;

  double highest() const { return *std::ranges::max_element(root.ratios); }
  double lowest() const { return *std::ranges::min_element(root.ratios); }
  /// The relative width of the interval.
  double width() const {
    return (root.certificate.upper - root.certificate.lower) / root.certificate.upper;
  }
};

std::optional<Point> point_of(std::shared_ptr<const ScaledMatrix> a, std::vector<double> v) {
  auto root = rated(*a, std::move(v));
  if (!root) return {};
  return Point{std::move(a), *std::move(root)};
}

class Noda {
 public:
  explicit Noda(ScaledMatrix a) {
    const std::vector<double> ones(a.size(), 1);
    last_ = point_of(std::make_shared<const ScaledMatrix>(std::move(a)), ones).value();
    best_ = last_;
  }

  Root run(double tolerance, double enough) {
    constexpr int kPatience = 64;  // steps that do not halve the width
    double width = best_.width();
    for (int idle = 0; idle < kPatience; idle++) {
      if (best_.width() <= tolerance || best_.root.certificate.upper < enough || !step()) break;
      if (best_.width() > width / 2) continue;
      width = best_.width();
      idle = 0;
    }
    return std::move(best_.root);
  }

 private:
  static constexpr int kScale = 800;     // of the right-hand side: w begins at 2^850 at the most
  static constexpr int kLowest = -1000;  // exponent of components of w that are known precisely

  /// Noda's step, and a better one where that is slow. Returns whether there is anything to gain.
  bool step() {
    const double before = last_.width();
    const auto w = solved(last_.highest() * (1 + 0x1p-50), last_.root.vector);
    auto next = normalised(w);
    if (!next) return false;
    const auto [least, most] = growth(w);
    const bool narrows = next->width() < best_.width() * (1 - 0x1p-16);
    const bool moves = most > 2 * least;
    if (next->width() > before / 2 && most > least / kStays && leap(w, most)) return true;
    take(*std::move(next));
    if (last_.width() <= before / 2) return true;
    return undercut() || narrows || moves;
  }

  /// 2^kScale times the solution for b: empty if the shift is below the root.
  std::vector<double> solved(double shift, std::vector<double> b) const {
    for (double& component : b) component = std::ldexp(component, kScale);
    return solve_below(*last_.matrix, shift, last_.root.vector, last_.root.ratios, std::move(b));
  }

  /// The smallest and the largest factor from the vector to w.
  std::pair<double, double> growth(std::span<const double> w) const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t i = 0; i < w.size(); i++) {
      least = std::min(least, w[i] / last_.root.vector[i]);
      most = std::max(most, w[i] / last_.root.vector[i]);
    }
    return {least, most};
  }

  /// A multiple of w with components of at most 1. Small ones move their exponents to the matrix;
  /// those that are not known keep their vector, at the lowest level that is known.
  std::optional<Point> normalised(std::vector<double> w) const {
    if (w.empty()) return {};
    const auto [least, largest] = std::ranges::minmax(w);
    if (!std::isfinite(largest) || !(largest > 0)) return {};
    if (least / largest >= 0x1p-100) {
      for (double& component : w) component /= largest;
      return point_of(last_.matrix, std::move(w));
    }
    const double lowest = std::ldexp(1, kLowest);
    double unknown = 0;
    for (std::size_t i = 0; i < w.size(); i++)
      if (!(w[i] >= lowest)) unknown = std::max(unknown, last_.root.vector[i]);
    auto exponents = last_.matrix->exponents;
    for (std::size_t i = 0; i < w.size(); i++) {
      const bool known = w[i] >= lowest;
      const double component = known ? w[i] : last_.root.vector[i] / unknown;
      const int own = std::ilogb(component) + 1;
      exponents[i] += own + (known ? 0 : kLowest) - std::ilogb(largest);
      w[i] = std::ldexp(component, -own);
    }
    return point_of(std::make_shared<const ScaledMatrix>(
                        scaled(last_.matrix->original, std::move(exponents), last_.matrix->root)),
                    std::move(w));
  }

  void take(Point next) {
    last_ = std::move(next);
    if (last_.width() < best_.width()) best_ = last_;
  }

  /// Solves (shift - A) w = b with a b that is 0 outside the block with the root, whose components
  /// grow most. The other components of w are then as large as their coupling to that block.
  bool leap(std::span<const double> w, double most) {
    auto b = last_.root.vector;
    for (std::size_t i = 0; i < b.size(); i++) {
      if (w[i] / b[i] < most * kStays) b[i] = 0;
    }
    const auto far = solved(last_.highest() * (1 + 0x1p-50), std::move(b));
    auto next = normalised(far);
    if (!next || next->highest() > last_.highest() * (1 + 0x1p-30)) return false;
    take(*std::move(next));
    return true;
  }

  /// A step with a shift between the bounds, closer to the lower one the more of them succeeded.
  /// One below the root is the lower bound of the next. Pauses after several of these.
  bool undercut() {
    constexpr double kNarrow = 0x1p-44;  // bounds that are mostly rounding
    const double low = std::max(last_.lowest(), too_low_), high = last_.highest();
    if (pause_-- > 0 || last_.width() < kNarrow || !(low < high)) return false;
    const double shift = low + fraction_ * (high - low);
    const auto w = solved(shift, last_.root.vector);
    auto next = normalised(w);
    if (next && next->width() < last_.width()) {
      take(*std::move(next));
      fraction_ = std::max(fraction_ / 2, 1.0 / 16);
      pauses_ = 1;
      return true;
    }
    if (w.empty()) too_low_ = shift;
    fraction_ *= 2;
    if (fraction_ > 0.5) {
      fraction_ = 0.5;
      pause_ = pauses_;
      pauses_ *= 2;
    }
    return false;
  }

  static constexpr double kStays = 0x1p-20;

  Point last_, best_;
  double too_low_ = 0, fraction_ = 1.0 / 16;
  int pause_ = 0, pauses_ = 1;
};

}  // namespace

double multiplications(std::span<const double> a, std::size_t n, double most) {
  constexpr std::size_t kBits = 64;
  const std::size_t words = n / kBits + 1;
  std::vector<std::uint64_t> edges(n * words);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++)
      edges[i * words + j / kBits] |= std::uint64_t{a[i * n + j] > 0} << j % kBits;
  }
  double count = 0;
  for (std::size_t k = 0; k < n && count <= most; k++) {
    for (std::size_t i = k + 1; i < n; i++) {
      if ((edges[i * words + k / kBits] >> k % kBits & 1) == 0) continue;
      count += static_cast<double>(n - k);
      for (std::size_t w = k / kBits; w < words; w++) edges[i * words + w] |= edges[k * words + w];
    }
  }
  return count;
}

// The sum is within u + n^2 u^2 of itself, and by underflow 5 n of the smallest number (Ogita, Rump
// and Oishi); the quotient within u. An element that the scaling took below the normal range lost
// half the smallest number at most, as did its product with a component of at most 1. The
// certificate counts 8 n of it.
Precision precision_of_ratios(std::size_t n) {
  const double size = static_cast<double>(n);
  return {.relative = (4 + size * size * 0x1p-53) * 0x1p-53,
          .smallest = std::numeric_limits<double>::denorm_min(),
          .floor = 0};
}

std::vector<double> ratios_of(const ScaledMatrix& a, std::span<const double> v) {
  std::vector<double> ratios(a.size());
  for (std::size_t i = 0; i < a.size(); i++) ratios[i] = product_of_row(a, i, v) / v[i];
  return ratios;
}

std::optional<Root> rated(const ScaledMatrix& a, std::vector<double> v) {
  auto ratios = ratios_of(a, v);
  const auto certificate = certify(evidence_of(v, ratios), precision_of_ratios(a.size()));
  if (!certificate || !(certificate->upper < std::numeric_limits<double>::infinity())) return {};
  return Root{std::move(v), std::move(ratios), a.exponents, *certificate};
}

Root find_root(ScaledMatrix a, double tolerance, double enough) {
  return Noda(std::move(a)).run(tolerance, enough);
}

std::vector<double> solve_below(const ScaledMatrix& a, double shift, std::span<const double> v,
                                std::span<const double> ratios, std::vector<double> b) {
  // With w = diag(v) x: the off-diagonal elements of A diag(v), and what the rows' sums lack to
  // the diagonal, are all that elimination needs to know.
  const std::size_t n = a.size();
  std::vector<double> off = a.elements, excess(n), pivots(n);
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < n; j++) off[i * n + j] *= v[j];
    excess[i] = (shift - ratios[i]) * v[i];
  }
  for (std::size_t k = 0; k < n; k++) {
    const double* const row = off.data() + k * n;
    double pivot = excess[k];
    for (std::size_t j = k + 1; j < n; j++) pivot += row[j];
    if (!(pivot > 0)) return {};
    pivots[k] = pivot;
    for (std::size_t i = k + 1; i < n; i++) {
      double* const target = off.data() + i * n;
      const double factor = target[k] / pivot;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; j++) target[j] += factor * row[j];
      excess[i] += factor * excess[k];
      b[i] += factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < n; j++) sum += off[k * n + j] * b[j];
    b[k] = sum / pivots[k];
  }
  for (std::size_t i = 0; i < n; i++) b[i] *= v[i];
  return b;
}

}  // namespace tessera::inline v0::eigen
