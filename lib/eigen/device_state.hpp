// State of a solve on the device; must match cl/common/eigenpair.cl and round_end.cl.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "eigen/wide_vector.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::eigen {

/// Why the rounds have ended; `none` while they continue, or if the host ended them as too slow.
enum class Halt : cl_uint {
  none = 0,
  converged = 1,
  max_rounds = 2,
  stalled = 3,
  underflow = 4,
  overflow = 5,
  bad_input = 6
};

/// The value high + low. `Component` is float or double, depending on the kernels' ACCUMULATOR.
template <class Component>
struct Pair {
  Component high, low;

  double value() const { return static_cast<double>(high) + static_cast<double>(low); }
};

/// Selects the work-group that evaluates the bounds and the stop test of an implicit round: none,
/// the only one of a separate launch, or the last one of the round. The last one of the round needs
/// a device with a fence for all work-groups.
enum class Conclusion : cl_uint { none = 0, by_launch = 1, by_last_group = 2 };

/// Conditions that end rounds.
template <class Component>
struct DeviceLimits {
  Component tolerance, smallest;
  cl_uint by_neighbours, max_rounds, patience;
  Conclusion conclusion;
  cl_uint long_patience;
  cl_float subnormal = std::numeric_limits<cl_float>::denorm_min();
  Component subnormal_component = std::numeric_limits<Component>::denorm_min();
};

/// The bad row while there is none.
constexpr cl_uint kNoRow = 0xffffffff;

/// Marks an initialised state. Must match BEGUN in cl/common/eigenpair.cl.
constexpr cl_uint kBegun = 0x54555253;

/// The order of rounds within a launch (cl/common/turns.cl).
struct Turns {
  cl_uint tickets = 0, arrived = 0, turn = 0, begun = kBegun;
};

template <class Component>
struct DeviceState {
  static constexpr Component kMax = std::numeric_limits<Component>::max();

  Halt halt = Halt::none;
  cl_uint rounds = 0, stalled_iterations = 0, bad_row = kNoRow, zeros = 0, flushes = 0;
  Component scale = 1, min_width = kMax, gap = kMax, gap_before = kMax;
  Pair<Component> lower = {}, upper = {};
  DeviceLimits<Component> limits = {};
  Turns turns = {};
};

/// Rounds enqueued before the host reads the state.
constexpr cl_uint kBatch = 16;
/// The same for the first rounds with a large matrix: a few rounds too many take less time than
/// another wait. The report keeps this many records.
constexpr cl_uint kLongBatch = 20;

/// The record of a round.
template <class Component>
struct DeviceRecord {
  Pair<Component> lower = {}, upper = {};
  Component scale = 1;
};

/// Measurements of a vector v and its ratios A v / v, from which the host proves bounds.
template <class Component>
struct DeviceEvidence {
  Pair<Component> minimum, largest, lowest, highest, middle;
  Component deviation;
  cl_uint unproven_row;
};

/// The state and what follows it in memory for the host.
template <class Component>
struct DeviceReport {
  DeviceState<Component> state;
  std::array<DeviceRecord<Component>, kLongBatch> rounds = {};
  DeviceEvidence<Component> evidence = {};
};

/// Results of a work-group for its rows. All work-groups' results follow the report in memory.
template <class Component>
struct Findings {
  static constexpr std::size_t kParts = kWideSize / sizeof(Component);

  Component bounds[2 * kParts], of_vector[2], max_difference;
  Component first_and_last[2 * kParts];
};

// The layout in OpenCL.
static_assert(sizeof(DeviceLimits<float>) == 36 && sizeof(DeviceLimits<double>) == 48);
static_assert(sizeof(DeviceState<float>) == 108 && sizeof(DeviceState<double>) == 152);
static_assert(sizeof(DeviceRecord<float>) == 20 && sizeof(DeviceRecord<double>) == 40);
static_assert(sizeof(DeviceEvidence<float>) == 48 && sizeof(DeviceEvidence<double>) == 96);
static_assert(sizeof(Findings<float>) == 44 && sizeof(Findings<double>) == 56);
static_assert(sizeof(DeviceReport<double>) == sizeof(DeviceState<double>) +
                                                  kLongBatch * sizeof(DeviceRecord<double>) +
                                                  sizeof(DeviceEvidence<double>));

}  // namespace tessera::inline v0::eigen
