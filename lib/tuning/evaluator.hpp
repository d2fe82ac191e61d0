// Evaluator: tries configurations for a search, on a device or from a recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tessera/tune.hpp"

namespace tessera::inline v0::tuning {

struct Evaluation {
  std::size_t configuration;
  Trial trial;
};

/// Times are in seconds since the tuning began.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Queues a configuration to be built, checked and timed.
  virtual void enqueue(std::size_t configuration) = 0;
  /// Configurations enqueued and not yet finished.
  virtual std::size_t pending() const = 0;
  /// Number of enqueued configurations that keeps all workers busy.
  virtual std::size_t queue_capacity() const = 0;
  /// The next to finish; nothing at the deadline, or if the search is to stop. `best`: seconds of
  /// the best so far, infinite if there is none.
  virtual std::optional<Evaluation> next(double best, double deadline) = 0;

  /// Abandons the configurations enqueued and not yet finished.
  virtual void drop() = 0;

  /// Times one call on `problem` of a configuration that was good; nothing at the deadline, or if
  /// it fails.
  virtual std::optional<double> time(std::size_t configuration, const Problem& problem,
                                     double deadline) = 0;
  /// Checks it on other sizes with operands from `seed`: returns what is wrong, empty if nothing.
  virtual std::string check(std::size_t configuration, std::uint64_t seed) = 0;

  virtual double now() const = 0;
  /// Wall-clock time, in seconds since 1970.
  virtual double date() const = 0;
};

}  // namespace tessera::inline v0::tuning
