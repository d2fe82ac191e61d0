// Policy: every constant that governs a tuning, each with its reason.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tessera::inline v0::tuning {

struct Policy {
  // Samples: what a worker times.
  /// Minimum seconds of a run: the resolution of device clocks. A shorter time is a clock's error,
  /// and would win.
  double shortest_run = 1e-9;
  /// Minimum seconds of a sample: a hundred times the resolution of device clocks.
  double sample = 1e-3;
  /// Relative difference within which samples must agree to end a measurement.
  double settled = 0.02;
  /// Maximum seconds for a kernel's samples, settled or not: others are waiting.
  double all_samples = 0.25;
  /// Maximum number of samples: enough to know the median as well as the finals need.
  std::size_t max_samples = 9;
  /// A kernel slower than this many times the best is dropped: finals shift times by less.
  double slow = 1.25;
  /// A kernel whose first run exceeds this many times the best and this many seconds is not even
  /// timed again: caches, clocks and launches never cost as much.
  double hopeless = 3, long_run = 0.02;
  /// Edge of the problem on which every element is checked: several tiles of any size, the last of
  /// them partial, and a millisecond's work for a host.
  std::size_t small_extent = 211;

  // Limits of a worker's steps, in seconds.
  /// To open the device: drivers take seconds, and waiting costs nothing more.
  double start_limit = 30;
  /// The share of the budget that one build may take, within bounds: the slowest kernels compile in
  /// minutes, typical ones in seconds.
  double build_share = 1.0 / 6, min_build_limit = 5, max_build_limit = 20;
  /// A run may take this many times the best, because a slower one is useless, ...
  double run_limit_factor = 20;
  /// ... but always at least this long, which covers a driver's work at a first launch.
  double min_run_limit = 2;
  /// For operands and references, whose cost is not the kernel's: seconds for the largest.
  double host_limit = 60;
  /// For the check of a winner on other sizes: small ones, but a dozen programs, and a GPU's
  /// compiler takes seconds for each.
  double last_check_limit = 60;
  /// Workers that fail at one task, through no kernel's fault, before the tuning gives up.
  int max_failed_workers = 3;
  /// Between checks whether the caller wants to stop: within a person's patience.
  double tick = 0.1;
  /// A delay this long means that the process was suspended (Ctrl-Z); load alone cannot cause it.
  double suspended = 1;

  // Processes.
  /// Maximum processes that build ahead: with these, the timing process never waits for a build.
  unsigned max_builders = 14;
  /// Tuners that died with a configuration pending before it is excluded: once may be chance.
  int max_deaths = 2;

  // Search.
  /// Configurations tried at random before the model is used: fewer teach it nothing.
  std::size_t random_start = 4;
  /// One proposal in this many is drawn at random, so that no region is never sampled.
  std::size_t random_every = 10;
  /// Configurations drawn at random for the model to rank, besides those near the best: most spaces
  /// whole, and of larger ones as many as are ranked faster than one of them is timed.
  std::size_t candidates = 3000;
  /// Maximum observations for the model, the best ones: fitting time grows with their cube.
  std::size_t max_observations = 250;
  /// The model ranks every configuration near this many of the best: all configurations near the
  /// best may be worse than one near the second.
  std::size_t best_neighbourhoods = 3;
  /// Proposals are requested one by one at first, as each result teaches much; then one more at a
  /// time for every `trials_a_proposal` trials.
  std::size_t trials_a_proposal = 25;
  /// The device's speed is checked every `drift_every` trials, which adds a few per cent to their
  /// time, by the median of `drift_runs` runs, which one outlier does not move; drift below the
  /// threshold is noise.
  std::size_t drift_every = 10, drift_runs = 3;
  double drift_threshold = 0.03;

  // Surrogate.
  /// Noise variance of an observation, relative to the process's: a tenth of its deviation is
  /// scatter, or stems from causes outside the parameters.
  double noise = 1e-2;
  /// Share of the additive part of the covariance: parameters matter as much alone as jointly.
  double additive = 0.5;
  /// Passes over the rates for each new set of observations; the next set continues from there.
  int rate_passes = 3;

  // Finals.
  /// Share of the budget reserved for finals and neighbours, and its upper bound in seconds: more
  /// than they can use.
  double finals_share = 0.3, max_finals = 40;
  /// Share of that reserved for the final check: some twenty small problems, most with a kernel
  /// that is built already.
  double check_share = 0.1;
  /// Seconds for finals after a request to stop: few enough for a user who waits, enough to
  /// distinguish the best of the timed configurations from the default.
  double after_stop = 4;
  std::size_t max_finalists = 10;  ///< beyond the tenth none has ever won
  std::size_t min_rounds = 6;      ///< the fewest that give a 95 % interval of the median
  std::size_t max_rounds = 100;    ///< contenders tied after these are tied
  /// Calls that a contender takes per round: two, plus the overhead around them.
  double calls_a_round = 3;
  /// A winner is saved if the default takes over this many times as long: less is not worth it.
  double worth_saving = 1.01;

  // Neighbours: the winner compared with the default on other problems.
  /// Rounds for each: the median of eight is known better than the difference that is worth it. If
  /// time runs out, three rounds must do: their median is the first that no outlier decides alone.
  std::size_t neighbour_rounds = 8, min_neighbour_rounds = 3;
  /// Seconds of a call, and bytes of operands, above which a neighbour is not measured: its rounds
  /// would take the time of all others.
  double longest_neighbour = 0.2, largest_neighbour = 1e9;

  // Peak.
  /// Seconds for which each kernel of a peak is measured, and minimum seconds of a sample:
  /// long enough for clocks to ramp up, short enough to go unnoticed.
  double peak_time = 0.4, peak_sample = 0.02;

  double build_limit(double budget) const {
    return std::clamp(build_share * budget, min_build_limit, max_build_limit);
  }
};

/// The default policy. Only public functions and the worker program name it; all other code is
/// passed a policy.
inline constexpr Policy kPolicy;

}  // namespace tessera::inline v0::tuning
