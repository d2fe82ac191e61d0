// Proof: the last pass over the caller's matrix, with a vector on the device.
#pragma once

#include <cstddef>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/certificate.hpp"
#include "eigen/device_state.hpp"
#include "eigen/steps.hpp"

namespace tessera::inline v0::eigen {

/// Parts of a wide number in memory.
template <class Part>
constexpr std::size_t kParts = sizeof(Part) == sizeof(double) ? 1 : 2;

/// What commands write to on the host: it outlives the submission.
template <class Part>
struct Landing {
  std::vector<Part> vector, ratios;
  State<double> powers;
};

template <class Part>
class Proof {
 public:
  /// By the kernel that the rounds run, with sums that are exact enough.
  Proof(runtime::Stream& stream, ElementType type, std::size_t n, const kernels::Plan& round);

  /// The certificate of the vector p; q and ratios are written. Waits.
  Certificate run(runtime::Submission& submission, const MatrixArgument& a, const cl::Buffer& p,
                  const cl::Buffer& q, const cl::Buffer& ratios, Landing<Part>& landing) const;

 private:
  Precision precision(const runtime::Device& device) const;

  ElementType type_;
  std::size_t n_;
  SharedPlan pass_;
};

}  // namespace tessera::inline v0::eigen
