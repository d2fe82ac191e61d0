// Proof: an interval from a vector on the device and its ratios, those of a round or of a pass.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/certificate.hpp"
#include "eigen/device_state.hpp"
#include "eigen/steps.hpp"
#include "eigen/wide_vector.hpp"

namespace tessera::inline v0::eigen {

/// What commands write to on the host: it outlives the submission.
template <class Component>
struct HostBuffers {
  std::vector<Component> vector, ratios;
};

/// What a certificate is made of.
struct Evidence {
  std::vector<double> vector, ratios;
};

template <class Component>
class Proof {
 public:
  /// By the kernel that the rounds run. Its sums are compensated where those of the rounds would
  /// widen the interval by more than a little of `tolerance`.
  Proof(runtime::Stream& stream, ElementType type, std::size_t n, const kernels::Plan& round,
        double tolerance);

  /// Bound of the relative error of a ratio.
  double error() const { return precision_.relative; }

  /// Do the ratios of the rounds prove as much as a pass of its own?
  bool needs_no_pass() const { return needs_no_pass_; }

  /// Makes the ratios of the vector p; q is written.
  void pass(runtime::Submission& submission, const MatrixArgument& a, const cl::Buffer& p,
            const cl::Buffer& q, const cl::Buffer& ratios) const;
  /// The vector p and its ratios, on the host. Waits.
  Evidence read(runtime::Submission& submission, const cl::Buffer& p, const cl::Buffer& ratios,
                HostBuffers<Component>& host) const;
  std::optional<Certificate> certify(const Evidence& evidence) const {
    return eigen::certify(evidence.vector, evidence.ratios, precision_);
  }

 private:
  void enqueue_read(runtime::Submission& submission, const cl::Buffer& from,
                    std::vector<Component>& to, cl_bool waits) const;

  ElementType type_;
  std::size_t n_;
  Precision precision_;
  SharedPlan pass_;
  bool needs_no_pass_;
};

}  // namespace tessera::inline v0::eigen
