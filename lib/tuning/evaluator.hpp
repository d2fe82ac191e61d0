// Evaluator: where a search has its configurations tried, on a device or from a recording.
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

  /// Has a configuration built, checked and timed, sooner or later.
  virtual void enqueue(std::size_t configuration) = 0;
  /// Enqueued, and not yet ended.
  virtual std::size_t pending() const = 0;
  /// How many should be enqueued to keep all workers busy.
  virtual std::size_t queue_capacity() const = 0;
  /// The next that ends; nothing at the deadline, or where the search is to stop. `best`: seconds
  /// of the best so far, infinite where there is none.
  virtual std::optional<Evaluation> next(double best, double deadline) = 0;

  /// Gives up what is enqueued and has not ended.
  virtual void drop() = 0;

  /// Times one call on `problem`, of a configuration that was good; nothing at the deadline, or
  /// where it fails.
  virtual std::optional<double> time(std::size_t configuration, const Problem& problem,
                                     double deadline) = 0;
  /// Checks it on other sizes and operands, of `seed`: what is wrong, or nothing.
  virtual std::string check(std::size_t configuration, std::uint64_t seed) = 0;

  virtual double now() const = 0;
  /// Of the wall clock, since 1970.
  virtual double date() const = 0;
};

}  // namespace tessera::inline v0::tuning
