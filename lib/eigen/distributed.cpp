// Rounds of the power method over ranks: a pass over each rank's rows, a reduction of the bounds,
// and a gathering of the next vector. The intersection of the rounds' intervals is proven because
// all ranks read the same bits of the vector, and minimum and maximum round nothing.
#include "tessera/distributed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "eigen/agreement.hpp"
#include "eigen/local_pass.hpp"
#include "eigen/pace.hpp"
#include "eigen/spread.hpp"
#include "runtime/standard_arithmetic.hpp"

namespace tessera::inline v0 {
namespace eigen {
namespace {

constexpr const char* kSolve = "dominant_eigenpair";
constexpr const char* kCertify = "certify";
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// An interval that narrows as ranks and rounds prove more.
struct Interval {
  double lower = 0, upper = kUnbounded;

  void intersect(const Interval& other) {
    lower = std::max(lower, other.lower);
    upper = std::min(upper, other.upper);
  }
  double value() const { return upper < kUnbounded ? lower + (upper - lower) / 2 : lower; }
};

/// Throws UnsupportedError, on all ranks alike, if no value is left.
void require_value(const char* operation, const Interval& interval) {
  if (interval.lower <= interval.upper) return;
  throw UnsupportedError(operation,
                         fmt::format("a device computes wrong: its eigenvalue is at least {} and "
                                     "at most {}",
                                     interval.lower, interval.upper),
                         ErrorCode::failed_check);
}

/// The largest residual of all ranks' rows, for the vector of the last pass. Collective.
double common_residual(Communicator& ranks, const std::optional<LocalPass>& pass,
                       std::span<const double> vector, double value) {
  double residual = 0;
  agree(ranks, std::span(&residual, 1),
        [&] { residual = pass ? pass->residual(vector, value) : 0; });
  return residual;
}

class DistributedSolve {
 public:
  DistributedSolve(Communicator& ranks, const detail::Operand& rows,
                   const DistributedOptions& options)
      : ranks_(ranks),
        rows_(rows),
        options_(options),
        spread_(spread_of(kSolve, ranks, rows, options)) {}

  DistributedEigenPair pair() {
    std::optional<EigenReason> end;
    for (;;) {
      const Round round = run_round();
      interval_.intersect(round.interval);
      require_value(kSolve, interval_);
      pace_.add(interval_.upper - interval_.lower);
      end = end_after(round);
      if (end) break;
      go_on(round.largest);
    }
    const double value = interval_.value();
    const auto part = std::span(vector_).subspan(spread_.own.first, spread_.own.count);
    return {{.value = value,
             .lower = interval_.lower,
             .upper = interval_.upper,
             .residual = common_residual(ranks_, pass_, vector_, value)},
            rounds_,
            *end == EigenReason::converged,
            *end,
            {part.begin(), part.end()}};
  }

 private:
  /// The numbers of a round that all ranks agree on.
  struct Round {
    Interval interval;
    double largest;  ///< component of the next vector
    bool has_zeros;
  };

  Round run_round() {
    // The maxima of minus the lower bounds, the upper bounds, components, and zeros as 1.
    std::array<double, 4> numbers = {-kUnbounded, 0, 0, 0};
    agree(ranks_, numbers, [&] {
      if (rounds_ == 0) {
        vector_.assign(spread_.own.n, 1);
        next_.resize(spread_.own.count);
      }
      if (rounds_ > 0 && options_.progress)
        options_.progress({"distributed rounds", rounds_, interval_.lower, interval_.upper});
      if (options_.cancel.cancelled())
        throw CancelledError(fmt::format("{}: cancelled before the result was known", kSolve));
      if (spread_.own.count == 0) return;
      run_pass();
      const Certificate proof = pass_->certificate(vector_);
      numbers = {-proof.lower, proof.upper, std::ranges::max(next_),
                 pass_->has_zeros() ? 1.0 : 0.0};
    });
    return {{-numbers[0], numbers[1]}, numbers[2], numbers[3] > 0};
  }

  /// Sets `next_` to this rank's part of (A + shift I) v.
  void run_pass() {
    if (!pass_) {
      pass_.emplace(kSolve, rows_, spread_.own, options_.tolerance);
      pass_->run_first(vector_);
    } else {
      pass_->run(vector_);
    }
    const double shift = pace_.is_shifted() ? interval_.value() / 2 : 0;
    for (std::size_t i = 0; i < next_.size(); i++)
      next_[i] = pass_->products()[i] + shift * vector_[spread_.own.first + i];
  }

  std::optional<EigenReason> end_after(const Round& round) const {
    // A zero's influence on the bounds takes rounds to spread.
    constexpr std::size_t kPatience = 128;
    const std::size_t patience = kPatience + (round.has_zeros ? spread_.own.n : 0);
    const auto [lower, upper] = interval_;
    if (upper < kUnbounded && upper - lower <= options_.tolerance * upper)
      return EigenReason::converged;
    if (rounds_ >= options_.max_rounds) return EigenReason::max_rounds;
    const bool has_next = round.largest > 0 && round.largest < kUnbounded;
    if (!has_next || pace_.is_stalled(patience)) return EigenReason::stalled;
    return {};
  }

  /// Gathers the next vector, scaled to a maximum of 1.
  void go_on(double largest) {
    // A component that sinks further, as in a reducible matrix, stays positive: any positive vector
    // proves bounds.
    constexpr double kSmallest = 0x1p-900;
    for (double& component : next_) component = std::max(component / largest, kSmallest);
    ranks_.gather(next_, spread_.lengths, vector_);
    rounds_++;
  }

  Communicator& ranks_;
  const detail::Operand& rows_;
  const DistributedOptions& options_;
  Spread spread_;
  std::vector<double> vector_, next_;
  std::optional<LocalPass> pass_;  // of a rank with rows
  Interval interval_;
  Pace pace_;
  std::uint64_t rounds_ = 0;
};

/// Gathers a vector from the ranks' parts, and multiplies it by a power of two, so that its maximum
/// is below 1. Collective.
std::vector<double> gathered(Communicator& ranks, const Spread& spread,
                             std::span<const double> part) {
  double largest = 0;
  std::vector<double> scaled, vector;
  agree(ranks, std::span(&largest, 1), [&] {
    scaled.assign(part.begin(), part.end());
    vector.resize(spread.own.n);
    if (part.size() != spread.own.count) {
      throw ArgumentError(ErrorCode::invalid_value,
                          fmt::format("{}: the vector has {} components for {} rows", kCertify,
                                      part.size(), spread.own.count));
    }
    for (std::size_t i = 0; i < part.size(); i++) {
      if (part[i] > 0 && part[i] < kUnbounded) continue;
      throw ArgumentError(ErrorCode::invalid_value,
                          fmt::format("{}: component {} of the vector is {}; all must be "
                                      "positive and finite",
                                      kCertify, spread.own.first + i, part[i]));
    }
    if (!part.empty()) largest = std::ranges::max(part);
  });
  for (double& component : scaled) component = std::ldexp(component, -std::ilogb(largest) - 1);
  ranks.gather(scaled, spread.lengths, vector);
  const auto smallest = std::ranges::min_element(vector);
  if (*smallest >= 0x1p-1000) return vector;
  throw ArgumentError(ErrorCode::invalid_value,
                      fmt::format("{}: component {} of the vector is less than 2^-1000 of the "
                                  "largest one",
                                  kCertify, smallest - vector.begin()));
}

}  // namespace
}  // namespace eigen

DistributedEigenPair detail::dominant_eigenpair(Communicator& ranks, const Operand& rows,
                                                const DistributedOptions& options) {
  const runtime::StandardArithmetic arithmetic;
  return eigen::DistributedSolve(ranks, rows, options).pair();
}

DistributedProof detail::certify(Communicator& ranks, const Operand& rows,
                                 std::span<const double> part) {
  using namespace eigen;
  const runtime::StandardArithmetic arithmetic;
  const Spread spread = spread_of(kCertify, ranks, rows, {});
  const std::vector<double> vector = gathered(ranks, spread, part);
  std::optional<LocalPass> pass;
  std::array<double, 2> numbers = {-kUnbounded, 0};
  agree(ranks, numbers, [&] {
    if (spread.own.count == 0) return;
    // No tolerance is too narrow for the most precise sums, which a validating pass does not have.
    pass.emplace(kCertify, rows, spread.own, std::numeric_limits<double>::min());
    pass->run_first(vector);
    pass->run(vector);
    const Certificate proof = pass->certificate(vector);
    numbers = {-proof.lower, proof.upper};
  });
  const Interval interval{-numbers[0], numbers[1]};
  require_value(kCertify, interval);
  return {.value = interval.value(),
          .lower = interval.lower,
          .upper = interval.upper,
          .residual = common_residual(ranks, pass, vector, interval.value())};
}

}  // namespace tessera::inline v0
