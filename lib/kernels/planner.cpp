// Chooses, builds and checks kernels.
#include "kernels/planner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "kernels/json.hpp"
#include "kernels/plan_cache.hpp"
#include "kernels/profile.hpp"
#include "kernels/resolve.hpp"
#include "kernels/self_check.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/first_use.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

/// A requested kernel, and how strictly.
struct Wanted {
  KernelChoice choice;
  std::string reason;
  bool named = false;  ///< by the caller: its parameters are binding, else only preferred
};

PlanCache::KeyView key_of(const Operation& operation, const Target& target,
                          std::string_view variant, const Parameters& parameters,
                          PlanCache::Asker asker) {
  return {&operation,  target.types, target.op_a, target.op_b,
          target.mode, variant,      parameters,  asker};
}

PlanCache::Choosing choosing(const Operation& operation, const Problem& problem) {
  return {&operation,      problem.types,     problem.m,
          problem.n,       problem.k,         problem.batch,
          problem.op_a,    problem.op_b,      problem.leading_dimensions,
          problem.offsets, problem.beta != 0, problem.mode};
}

/// Has a child process build and check the kernel before this process does, and throws
/// UnsupportedError if that ended the child. Whether it computes right values is not asked here.
void survive_first_use(runtime::Stream& stream, const Variant& variant, const Target& target,
                       Problem problem, const Parameters& parameters, bool named) {
  problem.operation = variant.operation;
  const Problem kind{.operation = variant.operation,
                     .types = problem.types,
                     .batch = problem.batch > 1 ? std::size_t{2} : std::size_t{1},
                     .op_a = problem.op_a,
                     .op_b = problem.op_b,
                     .mode = problem.mode};
  const std::string key =
      fmt::format("{} {}\n{}\n{}", variant.full_name(), text_of(parameters), to_json(kind),
                  stream.context().programs().identity(variant.file(),
                                                       build_options(variant, parameters, target)));
  const auto fate =
      runtime::fate_of_child(stream.context(), key,
                             {{"do", "kernel"},
                              {"problem", kernels::json_of(problem)},
                              {"kernel", kernels::json_of(KernelChoice{variant.name, parameters})},
                              {"capabilities", to_json(target.device())}});
  if (fate.empty()) return;
  const auto reason = fmt::format("the process that tried it {}", fate);
  if (!named) runtime::warn(fmt::format("{} is not used here: {}", variant.full_name(), reason));
  throw UnsupportedError(variant.full_name(), reason, ErrorCode::failed_check);
}

/// Resolves and builds. If the built kernel allows fewer work-items than planned, tries again with
/// that limit. The loop ends because each limit is lower than the last.
Plan build(runtime::Stream& stream, const Variant& variant, const Problem& problem, Target target,
           const Wanted& wanted) {
  if (const auto reason = why_not(variant, target))
    throw UnsupportedError(variant.full_name(), *reason);
  for (;;) {
    const Parameters& given = wanted.choice.parameters;
    auto parameters =
        wanted.named ? resolve(variant, given, target) : nearest_legal(variant, given, target);
    survive_first_use(stream, variant, target, problem, parameters, wanted.named);
    auto program =
        stream.context().programs().get(variant.file(), build_options(variant, parameters, target));
    Plan plan(&variant, target.mode, std::move(parameters), wanted.reason, std::move(program));
    const std::size_t allowed = plan.kernel().max_work_group;
    if (plan.group[0] * plan.group[1] <= allowed) {
      const auto unfit = variant.built_kernel_problem(
          plan.kernel(), stream.context().device().handle, plan.parameters);
      if (!unfit.empty()) throw UnsupportedError(variant.full_name(), unfit);
      return plan;
    }
    target.max_work_group = allowed;
  }
}

std::string default_reason(const DeviceInfo& device) {
  return fmt::format("default for a {}", to_string(device.type));
}

/// The profile's proposal, if any, then the operation's preferences.
std::vector<Wanted> proposals(const Preference& preference, const DeviceInfo& device,
                              const Proposal* tuned) {
  std::vector<Wanted> all;
  if (tuned) all.push_back({tuned->choice, tuned->reason});
  for (const Preferred& preferred : preference)
    all.push_back({{std::string(preferred.variant), preferred.parameters}, default_reason(device)});
  return all;
}

/// Runs the self-check of a plan. Returns what is wrong, also as a warning; empty if nothing.
std::string wrong_here(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                       const SharedPlan& plan) {
  const auto failure = self_check(stream, operation, problem, plan);
  if (failure.empty()) return {};
  auto wrong = fmt::format("{} is not used here: a small problem came out wrong: {}",
                           plan->variant->full_name(), failure);
  runtime::warn(wrong);
  return wrong;
}

/// The first of the proposals that this device can build, and that computes a small problem right.
SharedPlan choose(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                  const Target& target, const std::vector<Wanted>& wanted) {
  std::vector<std::string> failures;
  std::exception_ptr build_error;  // the first, if nothing else was wrong
  bool none_was_wrong = true;
  for (Wanted proposal : wanted) {
    try {
      if (!failures.empty()) proposal.reason = failures.back();
      auto plan = std::make_shared<Plan>(build(
          stream, find_variant(operation, proposal.choice.variant), problem, target, proposal));
      plan->is_fallback = !failures.empty();
      const auto wrong = wrong_here(stream, operation, problem, plan);
      if (wrong.empty()) return plan;
      none_was_wrong = false;
      failures.push_back(wrong);
    } catch (const UnsupportedError& error) {
      failures.push_back(error.what());
    } catch (const BuildError& error) {
      if (!build_error) build_error = std::current_exception();
      failures.push_back(error.what());
    }
  }
  if (build_error && none_was_wrong) std::rethrow_exception(build_error);
  throw UnsupportedError(
      operation.name,
      fmt::format("no variant runs on {}: {}", target.device().name, fmt::join(failures, "; ")),
      none_was_wrong ? ErrorCode::unsupported : ErrorCode::failed_check);
}

void require_variant(const Operation& operation, const KernelChoice& choice) {
  if (!choice.variant.empty() || choice.parameters.empty()) return;
  throw ArgumentError(
      ErrorCode::conflicting_options,
      operation.name + ": parameters were given without the variant that they are for");
}

/// The plan under `key`, created by `make` if there is none.
template <class Make>
SharedPlan remembered(runtime::Stream& stream, const PlanCache::KeyView& key, Make&& make) {
  auto& plans = stream.context().extension<PlanCache>();
  if (auto known = plans.made(key)) return known;
  return plans.remember(key, make());
}

/// The plan for the profile's proposal, or else for the operation's preferences.
SharedPlan best_plan(runtime::Stream& stream, const Operation& operation, const Problem& problem) {
  const Target target(runtime::capabilities(stream), problem);
  const auto tuned = profile_of(stream).find(operation, problem);
  const auto wanted =
      proposals(operation.preference(target.device(), problem), target.device(), tuned.get());
  const auto& [variant, parameters] = wanted.front().choice;
  auto found = remembered(
      stream, key_of(operation, target, variant, parameters, PlanCache::Asker::preference),
      [&] { return choose(stream, operation, problem, target, wanted); });
  if (found->is_fallback || found->reason == wanted.front().reason) return found;
  auto same = std::make_shared<Plan>(*found);  // that another problem has for another reason
  same->reason = wanted.front().reason;
  return same;
}

}  // namespace

void check_choice(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                  const KernelChoice& choice) {
  require_variant(operation, choice);
  if (choice.variant.empty()) return;
  const Variant& variant = find_variant(operation, choice.variant);
  const Target target(runtime::capabilities(stream), problem);
  if (const auto reason = why_not(variant, target))
    throw UnsupportedError(variant.full_name(), *reason);
  resolve(variant, choice.parameters, target);
}

SharedPlan plan(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                const KernelChoice& choice) {
  require_variant(operation, choice);
  if (!choice.variant.empty()) {
    const Target target(runtime::capabilities(stream), problem);
    const Variant& variant = find_variant(operation, choice.variant);
    return remembered(
        stream,
        key_of(operation, target, choice.variant, choice.parameters, PlanCache::Asker::caller),
        [&] {
          return std::make_shared<const Plan>(
              build(stream, variant, problem, target, {choice, "named by the caller", true}));
        });
  }
  auto& plans = stream.context().extension<PlanCache>();
  const PlanCache::Choosing key = choosing(operation, problem);
  const std::uint64_t version = profile_of(stream).version();  // a change meanwhile is noticed
  if (auto known = plans.chosen(key, version)) return known;
  auto best = best_plan(stream, operation, problem);
  plans.choose(key, version, best);
  return best;
}

std::string use_first(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                      const KernelChoice& choice) {
  const auto used = plan(stream, operation, problem, choice);
  return wrong_here(stream, operation, problem, used);
}

SharedPlan in_mode(runtime::Stream& stream, const Operation& operation, Problem problem,
                   const Plan& plan, const Mode& mode) {
  problem.mode = mode;
  const Target target(runtime::capabilities(stream), problem);
  return remembered(
      stream,
      key_of(operation, target, plan.variant->name, plan.parameters, PlanCache::Asker::other_mode),
      [&] {
        auto other = std::make_shared<const Plan>(
            build(stream, *plan.variant, problem, target,
                  {{plan.variant->name, plan.parameters}, plan.reason}));
        const auto wrong = wrong_here(stream, operation, problem, other);
        if (!wrong.empty()) throw UnsupportedError(operation.name, wrong, ErrorCode::failed_check);
        return other;
      });
}

SharedPlan plan_of_call(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                        const KernelChoice& choice, bool is_empty) {
  if (is_empty) {
    check_choice(stream, operation, problem, choice);
    return nullptr;
  }
  auto found = plan(stream, operation, problem, choice);
  if (runtime::log_wanted()) {
    runtime::log(fmt::format("{}: {} {} ({})", describe(operation, problem), found->variant->name,
                             text_of(found->parameters), found->reason));
  }
  return found;
}

}  // namespace tessera::inline v0::kernels
