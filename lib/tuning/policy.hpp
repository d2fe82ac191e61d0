// Policy: every number that a tuning goes by, each with its reason.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tessera::inline v0::tuning {

struct Policy {
  // Samples: what a worker times.
  /// Seconds of a sample at least: a hundred times what device clocks resolve.
  double sample = 1e-3;
  /// Samples that agree within this end a measurement: half of what is worth a profile entry.
  double settled = 0.02;
  /// A kernel gets no more time for its samples than this, settled or not: others wait.
  double all_samples = 0.25;
  /// Nor more samples: with these the median is known as well as the finals need.
  std::size_t max_samples = 9;
  /// A kernel over this many times the best is given up: finals move times by less.
  double slow = 1.25;
  /// One whose first run is over this many times the best, and longer than so many seconds, is not
  /// even timed again: caches, clocks and launches never cost as much.
  double hopeless = 3, long_run = 0.02;
  /// Edge of the problem on which every element is checked: several tiles of any size, the last of
  /// them cut, and a millisecond's work for a host.
  std::size_t small_extent = 211;

  // Limits of a worker's steps, in seconds.
  /// To open the device: drivers take seconds, and waiting costs nothing else.
  double start_limit = 30;
  /// The share of the budget that one build may take, within bounds: the compiler's worst kernels
  /// take minutes, its usual ones seconds.
  double build_share = 1.0 / 6, min_build_limit = 5, max_build_limit = 20;
  /// A run may take this many times the best, since one that takes longer is of no use, ...
  double run_limit_factor = 20;
  /// ... and this at least, which covers what a driver does at a first launch.
  double min_run_limit = 2;
  /// For operands and references, which are no kernel's fault: some seconds for the largest.
  double host_limit = 60;
  /// For the check of a winner on other sizes.
  double last_check_limit = 15;
  /// Workers that fail at one task, for no kernel's fault, before the tuning gives up.
  int max_failed_workers = 3;
  /// Between looks at whether the caller wants it to stop: a person's patience.
  double tick = 0.1;

  // Processes.
  /// Processes that build ahead: beyond this, the one that times waits for none.
  unsigned max_builders = 14;
  /// Tuners that died with a configuration pending before it is left out: once is chance.
  int max_deaths = 2;

  // Search.
  /// Configurations tried at random before the model is asked: fewer tell it nothing.
  std::size_t random_start = 4;
  /// One proposal of so many is drawn at random, so that no region is never seen.
  std::size_t random_every = 10;
  /// Configurations drawn at random for the model to rank, beside those near the best.
  std::size_t candidates = 3000;
  /// Observations that the model is fitted to, the best: fitting takes their cube.
  std::size_t max_observations = 250;
  /// Near so many of the best the model looks at every configuration.
  std::size_t best_neighbourhoods = 3;
  /// Proposals are asked for one by one at first, as each answer teaches much; one more at a time
  /// for every so many trials.
  std::size_t trials_a_proposal = 25;
  /// The device's speed is looked at once in so many trials, by the median of so many runs; drift
  /// below this is noise.
  std::size_t drift_every = 10, drift_runs = 3;
  double drift_threshold = 0.03;

  // Surrogate.
  /// Variance of an observation, in units of the process's: a tenth of its deviation is scatter, or
  /// comes of what no parameter tells.
  double noise = 1e-2;
  /// Share of the additive part of the covariance: parameters act alone as much as together.
  double additive = 0.5;
  /// Passes over the rates for each new set of observations; the next set goes on from there.
  int rate_passes = 3;

  // Finals.
  /// Share of the budget kept for finals and the neighbours, and its upper bound in seconds: more
  /// than they can use.
  double finals_share = 0.3, max_finals = 40;
  /// Share of that which is left to the last check.
  double check_share = 0.1;
  /// Seconds for finals after the caller asked to stop.
  double after_stop = 4;
  std::size_t max_finalists = 10;  ///< beyond the tenth none has ever won
  std::size_t min_rounds = 6;      ///< the fewest that give a 95 % interval of a median
  std::size_t max_rounds = 100;    ///< what is tied after them is tied
  /// Calls that a contender's rounds take: two each, and what is around them.
  double calls_a_round = 3;
  /// A winner is saved where the default takes this much longer: less is not worth an entry.
  double worth_saving = 1.01;

  // Neighbours: the winner beside the default on other problems.
  std::size_t neighbour_rounds = 8, min_neighbour_rounds = 3;
  /// Of the default's time, so that sizes between those that were measured are safe.
  double worth_on_neighbour = 0.97;
  /// Seconds of a call, and bytes of operands, above which a neighbour costs more than it tells.
  double longest_neighbour = 0.2, largest_neighbour = 1e9;

  // Peak.
  /// Seconds that each of the device's two speeds is measured for, and of a sample at least: long
  /// enough for clocks to rise, short enough not to be noticed.
  double peak_time = 0.4, peak_sample = 0.02;

  double build_limit(double budget) const {
    return std::clamp(build_share * budget, min_build_limit, max_build_limit);
  }
};

/// Where nothing says otherwise.
inline constexpr Policy kPolicy;

}  // namespace tessera::inline v0::tuning
