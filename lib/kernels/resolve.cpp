// Resolving: finds the legal set nearest to a caller's values and a variant's preferences.
#include "kernels/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "kernels/combinations.hpp"
#include "operands/element.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

const Parameter* find(const Variant& variant, const std::string& name) {
  const auto found = std::ranges::find(variant.parameters, name, &Parameter::name);
  return found == variant.parameters.end() ? nullptr : &*found;
}

/// Throws for names and values that the variant does not have.
void check_given(const Variant& variant, const Parameters& given) {
  for (const auto& [name, value] : given) {
    const Parameter* parameter = find(variant, name);
    if (parameter == nullptr) {
      std::vector<std::string> names;
      for (const Parameter& known : variant.parameters) names.push_back(known.name);
      throw ArgumentError(
          ErrorCode::unknown_name,
          fmt::format("{}: no parameter {}; there are: {}", variant.full_name(), name,
                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (std::ranges::find(parameter->candidates, value) == parameter->candidates.end()) {
      throw ArgumentError(ErrorCode::invalid_value,
                          fmt::format("{}: {}={} is not one of {}", variant.full_name(), name,
                                      value, fmt::join(parameter->candidates, ", ")));
    }
  }
}

/// Steps through the candidates from one set to another. Steps up count slightly more because
/// values that break a rule are mostly too large.
int distance(const Variant& variant, const Parameters& from, const Parameters& to) {
  int steps = 0;
  for (const Parameter& parameter : variant.parameters) {
    const auto place = [&](const Parameters& set) {
      return std::ranges::lower_bound(parameter.candidates, set.at(parameter.name)) -
             parameter.candidates.begin();
    };
    const int up = static_cast<int>(place(to) - place(from));
    steps += up > 0 ? 8 * up + 1 : -8 * up;
  }
  return steps;
}

/// The candidates nearest to the given values.
Parameters candidates_near(const Variant& variant, Parameters wished) {
  for (auto& [name, value] : wished) {
    const int wish = value;
    value = *std::ranges::min_element(find(variant, name)->candidates, {},
                                      [&](int candidate) { return std::abs(candidate - wish); });
  }
  return wished;
}

/// `given`, and for all other parameters the candidates nearest to the variant's preferences.
Parameters preferred(const Variant& variant, const Parameters& given, const Target& target) {
  Parameters wished = candidates_near(variant, variant.preferred(target));
  for (const auto& [name, value] : given) wished[name] = value;
  return wished;
}

/// `wished` if it is legal, else the nearest legal set that contains `given`, or nothing.
std::optional<Parameters> nearest(const Variant& variant, const Parameters& given,
                                  const Parameters& wished, const Target& target) {
  if (!broken_rule(variant, wished, target)) return wished;
  std::optional<Parameters> best;
  int minimum = std::numeric_limits<int>::max();
  for_each_legal(variant, given, target, [&](const Parameters& set) {
    const int steps = distance(variant, wished, set);
    if (steps >= minimum) return;
    minimum = steps;
    best = set;
  });
  return best;
}

}  // namespace

std::optional<std::string> why_not(const Variant& variant, const Target& target) {
  const auto& types = variant.types;
  if (!types.empty() && std::ranges::find(types, target.types) == types.end())
    return fmt::format("it is not for {}", to_string(target.types));
  if (operands::part_type(target.types.a) == ElementType::float64 && !target.device().has_double)
    return "the device has no double";
  if (auto reason = variant.unsupported_reason(target); !reason.empty()) return reason;
  const Parameters wished = preferred(variant, {}, target);
  if (!nearest(variant, {}, wished, target)) return broken_rule(variant, wished, target);
  return std::nullopt;
}

Parameters resolve(const Variant& variant, const Parameters& given, const Target& target) {
  check_given(variant, given);
  const Parameters wished = preferred(variant, given, target);
  if (auto set = nearest(variant, given, wished, target)) return *set;
  throw UnsupportedError(variant.full_name(), *broken_rule(variant, wished, target));
}

Parameters nearest_legal(const Variant& variant, const Parameters& wished, const Target& target) {
  Parameters known = wished;
  std::erase_if(known, [&](const auto& wish) { return find(variant, wish.first) == nullptr; });
  const Parameters all = preferred(variant, candidates_near(variant, known), target);
  if (auto set = nearest(variant, {}, all, target)) return *set;
  throw UnsupportedError(variant.full_name(), *broken_rule(variant, all, target));
}

KernelChoice default_kernel(const Operation& operation, const Target& target,
                            const Problem& problem) {
  std::string unsupported_reason;
  for (const Preferred& wanted : operation.preference(target.device(), problem)) {
    const Variant& variant = find_variant(operation, wanted.variant);
    const auto reason = why_not(variant, target);
    if (!reason) return {variant.name, nearest_legal(variant, wanted.parameters, target)};
    unsupported_reason = *reason;
  }
  throw UnsupportedError(operation.name, unsupported_reason);
}

std::vector<Parameters> configurations(const Variant& variant, const Target& target,
                                       Coverage coverage) {
  if (why_not(variant, target)) return {};
  const Parameters defaults = resolve(variant, {}, target);
  if (coverage == Coverage::defaults) return {defaults};
  std::vector<Parameters> sets = {defaults};
  for_each_legal(variant, {}, target, [&](const Parameters& set) {
    if (set != defaults) sets.push_back(set);
  });
  return coverage == Coverage::all ? sets : cover(sets);
}

}  // namespace tessera::inline v0::kernels
