// State of a solve on the device; must match cl/common/eigenpair.cl.
#pragma once

#include <array>
#include <limits>

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

template <class Component>
struct State {
  static constexpr Component kMax = std::numeric_limits<Component>::max();

  Halt halt = Halt::none;
  cl_uint rounds = 0, stalled_iterations = 0, bad_row = 0xffffffff, zeros = 0;
  Component scale = 1, min_width = kMax, gap = kMax, gap_before = kMax;
  Pair<Component> lower = {}, upper = {};
};

/// Rounds enqueued before the host reads the state; as many records are kept.
constexpr cl_uint kBatch = 16;

/// The record of a round.
template <class Component>
struct IterationRecord {
  Pair<Component> lower = {}, upper = {};
  Component scale = 1;
};

/// The state and the records that follow it in memory.
template <class Component>
struct Report {
  State<Component> state;
  std::array<IterationRecord<Component>, kBatch> rounds = {};
};

template <class Component>
struct Limits {
  Component tolerance;
  cl_uint by_neighbours, max_rounds, patience, kept, long_patience;
};

// The layout in OpenCL.
static_assert(sizeof(State<float>) == 52 && sizeof(State<double>) == 88);
static_assert(sizeof(IterationRecord<float>) == 20 && sizeof(IterationRecord<double>) == 40);
static_assert(sizeof(Report<double>) ==
              sizeof(State<double>) + kBatch * sizeof(IterationRecord<double>));
static_assert(sizeof(Limits<float>) == 24 && sizeof(Limits<double>) == 32);

}  // namespace tessera::inline v0::eigen
