// Figures: rates, times and counts of a tuning, as people read them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/tune.hpp>
#include <vector>

namespace tessera::tool {

/// Measure: the unit of a kernel's speed, operations for products, bytes for all other operations.
struct Measure {
  double work = 0;  ///< of one call
  std::string_view unit;
  double Peak::*peak;

  double rate(double seconds) const;  ///< a second; 0 where the time is none
  /// "47.9 TFLOP/s"
  std::string text(double seconds) const;
  /// Of the measured peak; nothing if that is not known, or is no limit: the kernel is faster.
  std::optional<double> share(double seconds, const std::optional<Peak>& limits) const;
};
Measure measure_of(const Problem& problem);

/// "47.9 TFLOP/s" for 4.79e13 "FLOP/s".
std::string rate_text(double value, std::string_view unit);
/// Three digits that count: "1.21", "47.9", "412", "1790".
std::string three_digits(double value);
/// "1 trial", "2 trials".
std::string counted(std::size_t count, std::string_view noun);
/// "1.21 ms", "84 s"; "-" if the number is not a time.
std::string text_of_seconds(double seconds);
/// "TILE=16 …"; "-" if there are none.
std::string text_of(const Parameters& parameters);
/// "tiled_static TILE=16"; "-" for none.
std::string text_of(const KernelChoice& kernel);

/// "0.60 to 1.06 of the default's time on 2 problems": what was seen of the winner besides the
/// tuned problem; empty if nothing was.
std::string nearby_text(const TuneResult& result);
std::string nearby_text(const ProfileEntry& entry);

/// Returns whether the finals' winner is the default itself.
bool default_won(const TuneResult& result);
/// "2.11 to 2.18"; "too few rounds" for an interval.
std::string speedup_range(const TuneResult& result);

/// A time that can be shown: the trial is right, and its runs are finite.
bool timed(const Trial& trial);

struct OutcomeCount {
  Outcome outcome;
  std::size_t count;
};
/// Those that occurred, in the outcomes' order.
std::vector<OutcomeCount> count_outcomes(const std::vector<Trial>& trials);

}  // namespace tessera::tool
