// Plan: a chosen variant with its mode and parameters, built for a device and an element type.
#pragma once

#include <memory>
#include <string>

#include "kernels/operation.hpp"
#include "runtime/program_store.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::kernels {

struct Plan {
  /// Throws cl::Error if the program has no such kernel.
  Plan(const Variant* its_variant, Mode its_mode, Parameters its_parameters, std::string its_reason,
       std::shared_ptr<runtime::Program> built);

  const Variant* variant;
  Mode mode;
  Parameters parameters;
  WorkGroup group;           ///< work-items of a work-group
  std::string reason;        ///< why it was chosen
  bool is_fallback = false;  ///< in place of one that does not run here, as the reason says
  std::shared_ptr<runtime::Program> program;

  std::size_t size(const std::string& parameter) const {
    return kernels::size(parameters, parameter);
  }
  /// The variant's kernel.
  runtime::Kernel& kernel() const { return *own_kernel_; }
  /// One that prepares for the variant's, or finishes what it did.
  runtime::Kernel& kernel(const std::string& suffix) const;

 private:
  runtime::Kernel* own_kernel_;
};

/// Ends an operation that ran the plan.
KernelRun finish(runtime::Submission& submission, const SharedPlan& plan);

}  // namespace tessera::inline v0::kernels
