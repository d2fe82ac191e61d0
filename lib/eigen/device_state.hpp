// State of a solve on the device, as in cl/common/eigenpair.cl.
#pragma once

#include <array>
#include <limits>

#include "runtime/opencl.hpp"

namespace tessera::inline v0::eigen {

/// Why rounds have ended; 0: they have not.
enum class Halt : cl_uint {
  none = 0,
  converged = 1,
  max_rounds = 2,
  stalled = 3,
  underflow = 4,
  overflow = 5,
  bad_input = 6
};

/// high + low: `Part` is float or double, as WIDE of the kernels says.
template <class Part>
struct Pair {
  Part high, low;

  double value() const { return static_cast<double>(high) + static_cast<double>(low); }
};

template <class Part>
struct State {
  static constexpr Part kMost = std::numeric_limits<Part>::max();

  Halt halt = Halt::none;
  cl_uint rounds = 0, idle = 0, bad_row = 0xffffffff, zeros = 0;
  Part scale = 1, closest = kMost, missing = kMost, missing_before = kMost;
  Pair<Part> lower = {}, upper = {};
};

/// Rounds whose bounds are kept, and between two looks of the host.
constexpr cl_uint kBatch = 16;

/// What is kept of a round.
template <class Part>
struct Kept {
  Pair<Part> lower = {}, upper = {};
  Part scale = 1;
};

/// The state with what lies behind it.
template <class Part>
struct Report {
  State<Part> state;
  std::array<Kept<Part>, kBatch> rounds = {};
};

template <class Part>
struct Limits {
  Part tolerance;
  cl_uint by_neighbours, max_rounds, patience, kept, long_patience;
};

// As OpenCL lays them out.
static_assert(sizeof(State<float>) == 52 && sizeof(State<double>) == 88);
static_assert(sizeof(Kept<float>) == 20 && sizeof(Kept<double>) == 40);
static_assert(sizeof(Report<double>) == sizeof(State<double>) + kBatch * sizeof(Kept<double>));
static_assert(sizeof(Limits<float>) == 24 && sizeof(Limits<double>) == 32);

}  // namespace tessera::inline v0::eigen
