// From a choice of kernel to a built one.
#include "kernels/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "kernels/element.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

/// Plans made for a context.
struct Plans {
  /// The last is why a kernel was chosen that the caller did not name.
  using Key = std::tuple<const Operation*, ElementType, std::string, Parameters, std::string>;
  std::mutex mutex;
  std::map<Key, std::shared_ptr<const Plan>> made;
};

std::string options(const Variant& variant, const Parameters& parameters, const Target& target) {
  std::string text = element_option(target.type);
  for (const Parameter& parameter : variant.parameters) {
    if (!parameter.at_launch)
      text += fmt::format(" -D {}={}", parameter.name, parameters.at(parameter.name));
  }
  return text + variant.options(parameters, target);
}

/// Settles and builds. Where the built kernel allows fewer work-items than were planned, once more
/// with that limit: every round's limit is lower.
Plan build(runtime::Stream& stream, const Variant& variant, ElementType type,
           const Parameters& given, std::string reason) {
  Target target{stream, type, stream.context().device().info.max_work_group};
  if (const auto unsupported_reason = why_not(variant, target))
    throw UnsupportedError(variant.full_name(), *unsupported_reason);
  for (;;) {
    Plan plan{&variant, resolve(variant, given, target), reason, nullptr};
    plan.program =
        stream.context().programs().get(variant.files(), options(variant, plan.parameters, target));
    const WorkGroup group = variant.work_group(plan.parameters);
    const std::size_t allowed = plan.kernel().max_work_group;
    if (group[0] * group[1] <= allowed) {
      const auto built_kernel_problem =
          variant.built_kernel_problem(plan.kernel(), plan.parameters, target);
      if (!built_kernel_problem.empty())
        throw UnsupportedError(variant.full_name(), built_kernel_problem);
      return plan;
    }
    target.max_work_group = allowed;
  }
}

/// What the profile proposes, then what the operation prefers.
std::vector<Proposal> proposals(runtime::Stream& stream, const Operation& operation,
                                const Proposal* tuned) {
  std::vector<Proposal> all;
  if (tuned) all.push_back(*tuned);
  const DeviceInfo& device = stream.context().device().info;
  for (const std::string& name : operation.preference(device))
    all.push_back({{name, {}}, fmt::format("default for a {}", tessera::name(device.type))});
  return all;
}

/// The first of the proposals that this device can build.
Plan choose(runtime::Stream& stream, const Operation& operation, ElementType type,
            const Proposal* tuned) {
  const DeviceInfo& device = stream.context().device().info;
  std::vector<std::string> failures;
  std::exception_ptr build_error;
  for (const auto& [choice, reason] : proposals(stream, operation, tuned)) {
    try {
      return build(stream, find_variant(operation, choice.variant), type, choice.parameters,
                   failures.empty() ? reason : failures.back());
    } catch (const UnsupportedError& error) {
      failures.push_back(error.what());
    } catch (const ArgumentError& error) {  // a profile's, that another version has written
      failures.push_back(error.what());
    } catch (const BuildError& error) {
      if (!build_error) build_error = std::current_exception();
      failures.push_back(error.what());
    }
  }
  if (build_error) std::rethrow_exception(build_error);
  throw UnsupportedError(operation.name, fmt::format("no variant runs on {}: {}", device.name,
                                                     fmt::join(failures, "; ")));
}

}  // namespace

runtime::Kernel& Plan::kernel(const std::string& suffix) const {
  return program->kernel(variant->operation + "_" + variant->name + suffix);
}

const Variant& find_variant(const Operation& operation, const std::string& name) {
  std::vector<std::string> names;
  for (const Variant* variant : operation.variants) {
    if (variant->name == name) return *variant;
    names.push_back(variant->name);
  }
  throw ArgumentError(fmt::format("{}: no variant \"{}\"; there are: {}", operation.name, name,
                                  fmt::join(names, ", ")));
}

std::shared_ptr<const Plan> plan(runtime::Stream& stream, const Operation& operation,
                                 ElementType type, const KernelChoice& choice,
                                 const Extent& extent) {
  auto& plans = stream.context().extension<Plans>();
  const bool is_free = choice.variant.empty() && choice.parameters.empty();
  const auto tuned = is_free ? profile_of(stream).find(operation, type, extent) : nullptr;
  const KernelChoice& wanted = tuned ? tuned->choice : choice;
  const Plans::Key key(&operation, type, wanted.variant, wanted.parameters,
                       tuned ? tuned->reason : "");
  {
    const std::lock_guard lock(plans.mutex);
    const auto known = plans.made.find(key);
    if (known != plans.made.end()) return known->second;
  }
  if (choice.variant.empty() && !choice.parameters.empty()) {
    throw ArgumentError(operation.name +
                        ": parameters were given without the variant that they are for");
  }
  auto made =
      std::make_shared<const Plan>(is_free ? choose(stream, operation, type, tuned.get())
                                           : build(stream, find_variant(operation, choice.variant),
                                                   type, choice.parameters, "named by the caller"));
  const std::lock_guard lock(plans.mutex);
  return plans.made.try_emplace(key, std::move(made)).first->second;
}

}  // namespace tessera::inline v0::kernels

namespace tessera::inline v0 {
namespace {

const std::string kNoName;
const Parameters kNoParameters;

}  // namespace

const std::string& KernelRun::operation() const {
  return plan ? plan->variant->operation : kNoName;
}
const std::string& KernelRun::variant() const { return plan ? plan->variant->name : kNoName; }
const Parameters& KernelRun::parameters() const { return plan ? plan->parameters : kNoParameters; }
const std::string& KernelRun::reason() const { return plan ? plan->reason : kNoName; }

}  // namespace tessera::inline v0
