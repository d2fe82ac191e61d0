// Plans, and the runs that share them.
#include "kernels/plan.hpp"

#include <tuple>
#include <utility>

#include "tessera/detail/access.hpp"

namespace tessera::inline v0::kernels {

Plan::Plan(const Variant* its_variant, Mode its_mode, Parameters its_parameters,
           std::string its_reason, std::shared_ptr<runtime::Program> built)
    : variant(its_variant),
      mode(its_mode),
      parameters(std::move(its_parameters)),
      group(variant->work_group(parameters)),
      reason(std::move(its_reason)),
      program(std::move(built)),
      own_kernel_(&kernel("")) {}

runtime::Kernel& Plan::kernel(const std::string& suffix) const {
  return program->kernel(variant->operation + "_" + variant->name + suffix);
}

KernelRun finish(runtime::Submission& submission, const SharedPlan& plan) {
  auto run = detail::Access::make<KernelRun>(plan);
  std::tie(run.started, run.finished) = submission.finish();
  return run;
}

}  // namespace tessera::inline v0::kernels

namespace tessera::inline v0 {
namespace {

const std::string kNoName;
const Parameters kNoParameters;

}  // namespace

const std::string& KernelRun::operation() const {
  return state_ ? state_->variant->operation : kNoName;
}
const std::string& KernelRun::variant() const { return state_ ? state_->variant->name : kNoName; }
const Parameters& KernelRun::parameters() const {
  return state_ ? state_->parameters : kNoParameters;
}
const std::string& KernelRun::reason() const { return state_ ? state_->reason : kNoName; }

}  // namespace tessera::inline v0
