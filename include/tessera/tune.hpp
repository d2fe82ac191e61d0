// tune: the fastest kernel for a problem on a device, found by trying; the engine uses it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/engine.hpp>
#include <tessera/export.hpp>
#include <tessera/kernel.hpp>
#include <tessera/profile.hpp>

namespace tessera::inline v0 {

/// In what order configurations are tried.
enum class TuneStrategy {
  model,   ///< the defaults, then what a model of the times so far promises
  random,  ///< in random order
  full,    ///< all of them
};

/// "model", "random" or "full".
TESSERA_API std::string_view name(TuneStrategy strategy);

/// What came of trying a configuration.
enum class Outcome {
  ok,             ///< right, and timed
  slow,           ///< right, and given up after its first runs: over 1.25 x the best
  wrong,          ///< an element over its error bound, poison left, or memory outside written
  build_failed,   ///< refused by the compiler
  build_timeout,  ///< the compiler was stopped
  resources,      ///< refused at the launch: too many registers, too much memory
  run_timeout,    ///< the kernel was stopped
  crashed,        ///< the process died
};

/// "ok", "slow", "wrong", "build failed", "build timeout", "resources", "run timeout", "crashed".
TESSERA_API std::string_view name(Outcome outcome);
/// All outcomes, as they are declared.
TESSERA_API const std::vector<Outcome>& outcomes();

/// One configuration that was tried. Times are in seconds.
struct Trial {
  KernelChoice kernel = {};
  Outcome outcome = Outcome::ok;
  std::string reason = {};        ///< why it is not ok
  std::vector<double> runs = {};  ///< of one call each, on the device
  double build = 0;               ///< until the kernel could run
  double check = 0, timing = 0;   ///< by the host's clock
  double ended = 0;               ///< since 1970
  bool from_journal = false;      ///< tried by an earlier tuner

  /// Right, and timed.
  bool good() const { return outcome == Outcome::ok || outcome == Outcome::slow; }
  /// Median of the runs; infinite where there are none.
  TESSERA_API double seconds() const;
};

/// Speed limits of a device, measured.
struct Peak {
  double flops = 0;  ///< a second: chains of fused multiply-adds in registers
  double bytes = 0;  ///< a second: read and written by a copy
};

/// Measures for about a second. Zero flops for types that are no numbers of the device.
TESSERA_API Peak measure_peak(const Engine& engine, ElementType type);

/// What a tuner is at.
struct TuneProgress {
  enum class Stage { search, finals, check } stage = Stage::search;
  double elapsed = 0, budget = 0;    ///< seconds
  std::size_t tried = 0, space = 0;  ///< configurations
  const Trial* last = nullptr;       ///< null in finals
  const Trial* best = nullptr;       ///< null until one is good
  double default_seconds = 0;        ///< 0 until it is known
};

struct TuneOptions {
  double budget = 120;  ///< seconds, for everything
  TuneStrategy strategy = TuneStrategy::model;
  std::uint64_t seed = 1;
  std::size_t max_evaluations = std::numeric_limits<std::size_t>::max();
  std::string variant = {};            ///< the only one to try; empty: all
  Parameters parameters = {};          ///< the only values to try, with `variant`
  bool fresh = false;                  ///< forget what earlier tuners measured
  bool save = true;                    ///< append the winner to the profile
  unsigned builders = 0;               ///< processes that build ahead; 0: as many as pay
  std::filesystem::path journal = {};  ///< empty: in $XDG_STATE_HOME/tessera/tuning
  std::function<void(const TuneProgress&)> progress = {};
  std::stop_token stop = {};  ///< ends the search early, with the best so far
};

/// One of the best, timed again in turns with the others.
struct Finalist {
  KernelChoice kernel;
  double seconds = 0;           ///< median
  double lower = 0, upper = 0;  ///< its 95 % interval
  /// Time over the winner's in the same rounds: the 95 % interval; tied where it holds 1.
  double ratio_lower = 1, ratio_upper = 1;
  bool tied = false;
};

/// The winner beside the default on a problem that it was not tuned for.
struct Neighbour {
  Problem problem;
  double ratio = 1;                         ///< its time over the default's, median of rounds
  double ratio_lower = 1, ratio_upper = 1;  ///< the 95 % interval
  bool holds = true;                        ///< it is faster, by 3 % at the least
};

struct TuneResult {
  Problem problem;
  DeviceInfo device;
  TuneStrategy strategy = TuneStrategy::model;
  std::uint64_t seed = 0;
  std::size_t space = 0;            ///< legal configurations
  std::vector<Trial> trials;        ///< in the order they ended, earlier tuners' first
  std::vector<Finalist> finalists;  ///< the winner first
  KernelChoice default_kernel, best;
  double default_seconds = 0, best_seconds = 0;  ///< medians from the finals
  /// The default's time over the winner's: median of paired rounds, and its 95 % interval. Unlike
  /// the quotient of the medians above, it is unmoved by what slows both. Of fewer than six rounds
  /// the interval goes from 0 to infinity.
  double speedup = 1, speedup_lower = 1, speedup_upper = 1;
  /// Of a winner that beats the default, as far as there was time; its reach ends before the first
  /// that does not hold.
  std::vector<Neighbour> neighbours;
  double reach = 1;              ///< see ProfileEntry
  std::string checked;           ///< on what the winner was checked again
  std::uint64_t check_seed = 0;  ///< of the operands of that check; 0 where there was none
  std::optional<ProfileEntry> saved;
  std::string conclusion;  ///< one line: what was saved where, or why nothing was
  double elapsed = 0;      ///< seconds
};

/// Tries kernels of `problem.operation` on operands of that size, each in a process of its own,
/// every result checked against double arithmetic and its error bound before it is timed. The
/// winner is timed again in turns with the next best and the default, and checked on odd sizes. If
/// it is faster than the default by more than the noise, it is timed in turns with it on sizes,
/// shapes and transposes around, and saved for as far as it is faster; then `engine` uses it
/// from the next call on, as do engines that are made later. Variants whose results differ from run
/// to run are tried only where `options.variant` names one, and not saved.
///
/// Kernels that do not build, hang, crash or are wrong are trials with a reason. What was tried
/// is journaled: a tuner that was stopped goes on where it was. Returns within `options.budget`,
/// give or take seconds. Throws ArgumentError for an operation, variant or parameter that does not
/// exist, MemoryError for a problem that the device cannot hold, Error where the worker program
/// cannot be started or another tuner is at the same problem.
TESSERA_API TuneResult tune(const Engine& engine, const Problem& problem,
                            const TuneOptions& options = {});

/// The same search on recorded trials in place of a device: `recorded` is the whole space, each
/// time is looked up, and its cost is charged to the budget. The same options give the same result,
/// to the byte. Nothing is saved. `default_kernel` is one of the recorded ones; where it is empty,
/// the first. Throws Error where nothing was recorded, or not the default.
TESSERA_API TuneResult replay(const Problem& problem, const DeviceInfo& device,
                              const std::vector<Trial>& recorded, const TuneOptions& options = {},
                              const KernelChoice& default_kernel = {});

}  // namespace tessera::inline v0
