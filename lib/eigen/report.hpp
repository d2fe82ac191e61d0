// Report: the state of a solve as the host reads it, in doubles.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "eigen/certificate.hpp"
#include "eigen/device_state.hpp"
#include "eigen/wide_vector.hpp"

namespace tessera::inline v0::eigen {

/// Conditions that end rounds. `tolerance` and `smallest` are numbers of the device's type.
struct Limits {
  double tolerance, smallest;
  bool by_neighbours;
  cl_uint max_rounds, patience;
  Conclusion conclusion;
  cl_uint long_patience;
};

/// The same for a kernel.
template <class Component>
DeviceLimits<Component> device_limits(const Limits& limits) {
  return {.tolerance = static_cast<Component>(limits.tolerance),
          .smallest = static_cast<Component>(limits.smallest),
          .by_neighbours = limits.by_neighbours ? 1u : 0u,
          .max_rounds = limits.max_rounds,
          .patience = limits.patience,
          .conclusion = limits.conclusion,
          .long_patience = limits.long_patience};
}

/// The part of a state that the host uses; see cl/common/eigenpair.cl.
struct RoundState {
  Halt halt = Halt::none;
  cl_uint rounds = 0, bad_row = kNoRow;
  bool has_zeros = false, flushes = false;
  double gap = 0, gap_before = 0, lower = 0, upper = 0;
};

struct RoundRecord {
  double lower, upper, scale;
};

struct Report {
  RoundState state = {};
  std::array<RoundRecord, kLongBatch> rounds = {};
};

/// Bytes of a report on the device, and where its evidence begins.
std::size_t report_size(Wide wide);
std::size_t evidence_offset(Wide wide);
/// Bytes of a report with the findings of at most n work-groups, for a matrix with n rows.
std::size_t state_size(Wide wide, std::size_t n);

/// `bytes` are a report as the device stores it.
Report report_of(std::span<const std::byte> bytes, Wide wide);
/// The evidence in such a report of a matrix with n rows.
Evidence evidence_in(std::span<const std::byte> bytes, Wide wide, std::size_t n);
/// `bytes` begin with a state as the device stores it.
RoundState state_of(std::span<const std::byte> bytes, Wide wide);

/// A state as the device stores it, which neither halts, scales nor concludes rounds.
std::vector<std::byte> initial_state(Wide wide);

}  // namespace tessera::inline v0::eigen
