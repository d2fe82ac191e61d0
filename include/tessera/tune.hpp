// tune: searches for the fastest kernel for a problem on a device; the engine uses it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/cancellation.hpp>
#include <tessera/engine.hpp>
#include <tessera/export.hpp>
#include <tessera/kernel.hpp>
#include <tessera/profile.hpp>

namespace tessera::inline v0 {

/// The order in which configurations are tried.
enum class TuneStrategy {
  model,   ///< the defaults, then those that a model of the times so far predicts to be fast
  random,  ///< in random order
  full,    ///< all of them
};

/// "model", "random" or "full".
TESSERA_API std::string_view to_string(TuneStrategy strategy);

/// The outcome of trying a configuration.
enum class Outcome {
  ok,             ///< correct, and timed
  slow,           ///< correct, but abandoned after its first runs: over 1.25 x the best
  wrong,          ///< an element over its error bound or still poison, or memory outside written
  build_failed,   ///< rejected by the compiler
  build_timeout,  ///< the compiler took too long and was stopped
  resources,      ///< the launch failed: too many registers, too much memory
  run_timeout,    ///< the kernel took too long and was stopped
  crashed,        ///< the process died
};

/// "ok", "slow", "wrong", "build failed", "build timeout", "resources", "run timeout", "crashed".
TESSERA_API std::string_view to_string(Outcome outcome);
/// All outcomes, in the order of their declaration.
TESSERA_API const std::vector<Outcome>& outcomes();

/// One configuration that was tried. Times are in seconds.
struct Trial {
  KernelChoice kernel = {};
  Outcome outcome = Outcome::ok;
  std::string reason = {};        ///< why the outcome is not ok
  std::vector<double> runs = {};  ///< one call each, device time
  double build = 0;               ///< until the kernel was ready to run
  double check = 0, timing = 0;   ///< by the host clock
  double ended = 0;               ///< since the Unix epoch
  bool from_journal = false;      ///< tried by an earlier tuner

  /// Correct, and timed.
  bool good() const { return outcome == Outcome::ok || outcome == Outcome::slow; }
  /// Median of the runs; infinite if there are none.
  TESSERA_API double seconds() const;
};

/// Speed limits of a device, measured.
struct Peak {
  double flops = 0;  ///< per second: chains of fused multiply-adds in registers
  double bytes = 0;  ///< per second: read alone, or read and written by a copy, if that is faster
};

/// Measures for one to two seconds. `flops` is 0 for a type that the device does not support.
TESSERA_API Peak measure_peak(const Engine& engine, ElementType type);

/// The progress of a tuner.
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
  bool fresh = false;                  ///< discard what earlier tuners measured
  bool save = true;                    ///< append the winner to the profile
  unsigned builders = 0;               ///< processes that build ahead; 0: as many as are useful
  std::filesystem::path journal = {};  ///< empty: in $XDG_STATE_HOME/tessera/tuning
  std::function<void(const TuneProgress&)> progress = {};
  CancelToken cancel = {};  ///< ends the search early, keeping the best so far
};

/// One of the fastest configurations, timed again in alternation with the others.
struct Finalist {
  KernelChoice kernel;
  double seconds = 0;           ///< median
  double lower = 0, upper = 0;  ///< its 95 % interval
  /// Its time / the winner's in the same rounds: 95 % interval, 0 to infinity after too few rounds.
  double ratio_lower = 1, ratio_upper = 1;
  bool tied = false;  ///< there were enough rounds, and the interval contains 1
};

/// The winner compared with the default on a problem that it was not tuned for.
struct Neighbour {
  Problem problem;
  double ratio = 1;                         ///< its time / the default's, median over rounds
  double ratio_lower = 1, ratio_upper = 1;  ///< the 95 % interval
};

struct TuneResult {
  Problem problem;
  DeviceInfo device;
  TuneStrategy strategy = TuneStrategy::model;
  std::uint64_t seed = 0;
  std::size_t space = 0;            ///< legal configurations
  std::vector<Trial> trials;        ///< in the order they finished, earlier tuners' first
  std::vector<Finalist> finalists;  ///< the winner first
  KernelChoice default_kernel, best;
  double default_seconds = 0, best_seconds = 0;  ///< medians from the finals
  /// The default's time / the winner's: median over paired rounds, and its 95 % interval. Unlike
  /// the quotient of the medians above, it is unaffected by anything that slows both. With fewer
  /// than six rounds the interval is 0 to infinity.
  double speedup = 1, speedup_lower = 1, speedup_upper = 1;
  /// Problems near the tuned one, nearest first, for a winner that beats the default. The list ends
  /// when the budget ends, or when the winner is slower than the default on the equally near ones.
  std::vector<Neighbour> neighbours;
  std::string checked;           ///< what the final check of the winner covered
  std::uint64_t check_seed = 0;  ///< of the operands of that check; 0 if there was none
  std::optional<ProfileEntry> saved;
  std::string conclusion;  ///< one line: what was saved where, or why nothing was or could be
  double elapsed = 0;      ///< seconds
};

/// Tries kernels of `problem.operation` on operands of that size in worker processes, and checks
/// every result against double arithmetic and its error bound before timing the kernel. The winner
/// is timed again in alternation with the runners-up and the default, and checked on odd sizes. If
/// it is faster than the default by more than the noise, the two are also timed in alternation on
/// nearby sizes, shapes and transposes. The winner is saved with these observations. From them
/// `engine`, and engines created later, predict for which problems the winner is faster. Variants
/// whose results differ from run to run are tried only if `options.variant` names one, and are not
/// saved.
///
/// Kernels that fail to build, hang, crash or give wrong results become trials with a reason.
/// Trials are journaled: a tuner that was stopped resumes where it left off. Returns within
/// `options.budget`, give or take a few seconds. Operands are dense, alpha is 1 and beta 0. Throws
/// ArgumentError for a problem with other strides or with an accumulator, and for an unknown
/// operation, variant or parameter. Throws MemoryError for a problem that does not fit on the
/// device. Throws Error if the worker program cannot be started, or if another tuner is working on
/// the same problem.
TESSERA_API TuneResult tune(const Engine& engine, const Problem& problem,
                            const TuneOptions& options = {});

/// The same search on recorded trials instead of a device: `recorded` is the whole space, each time
/// is looked up, and its cost is charged to the budget. The same options give the same result, byte
/// for byte. Nothing is saved. `default_kernel` is one of the recorded ones; if empty, the first.
/// Throws ArgumentError if nothing was recorded or the default was not.
TESSERA_API TuneResult replay(const Problem& problem, const DeviceInfo& device,
                              const std::vector<Trial>& recorded, const TuneOptions& options = {},
                              const KernelChoice& default_kernel = {});

}  // namespace tessera::inline v0
