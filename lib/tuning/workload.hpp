// Workload: a problem with its operands on a device, to run, check and time any kernel on.
#pragma once

#include <memory>
#include <string>

#include "tessera/profile.hpp"

namespace tessera::inline v0::tuning {

class Workload {
 public:
  virtual ~Workload() = default;

  /// Enqueues the operation. What the operation throws passes through.
  virtual KernelRun run(const KernelChoice& kernel) = 0;
  /// Poisons the output and the memory around it, runs, and compares with double arithmetic. Why
  /// the result is wrong; empty where it is right.
  virtual std::string check(const KernelChoice& kernel) = 0;
};

/// With random operands of `seed`. The reference is computed here, once: of large products for some
/// rows. Throws UnsupportedError for an operation or type that there is none of.
std::unique_ptr<Workload> make_workload(const Engine& engine, const TuneProblem& problem,
                                        std::uint64_t seed);

std::unique_ptr<Workload> make_product(const Engine& engine, const TuneProblem& problem,
                                       std::uint64_t seed);
std::unique_ptr<Workload> make_stage(const Engine& engine, const TuneProblem& problem,
                                     std::uint64_t seed);

}  // namespace tessera::inline v0::tuning
