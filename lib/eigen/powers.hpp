// Powers: A^2, A^4, … of a matrix, each with a round by it (EigenOptions::acceleration).
#pragma once

#include <array>
#include <memory>

#include "eigen/arguments.hpp"
#include "eigen/device_state.hpp"
#include "eigen/steps.hpp"

namespace tessera::inline v0::eigen {

/// Plans, made before anything is enqueued. Throws UnsupportedError on a device without double.
class PowerPlans {
 public:
  PowerPlans(runtime::Stream& stream, ElementType type, const kernels::Plan& round);

  SharedPlan copy, product, round, begin, conclude;
};

/// Memory for two powers, which a solve takes before it enqueues anything.
using PowerMemory = std::array<std::shared_ptr<runtime::Memory>, 2>;
PowerMemory allocate_powers(runtime::Stream& stream, std::size_t n);

class Powers {
 public:
  /// The first power: A scaled by a power of two, `upper` being above its spectral radius.
  Powers(runtime::Submission& submission, const PowerPlans& plans, const PowerMemory& memory,
         const MatrixArgument& a, std::size_t n, double upper);

  /// Squares the power, then q = power * p, scaled; with its ratios.
  void square(const cl::Buffer& p, const cl::Buffer& q, const cl::Buffer& ratios);
  /// Enqueues a copy of the state, whose rounds are the squarings so far, to the host.
  void read(State<double>& state);

 private:
  runtime::Submission* submission_;
  const PowerPlans* plans_;
  std::size_t n_;
  PowerMemory power_;  // the present one first
  cl::Buffer state_;
};

}  // namespace tessera::inline v0::eigen
