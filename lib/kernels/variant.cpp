// Rows of kernel tables: their rules and a device's limits.
#include "kernels/variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operands/element.hpp"

namespace tessera::inline v0::kernels {
Mode resolved(Mode mode, const DeviceInfo& device) {
  if (mode.accumulator == Accumulator::automatic)
    mode.accumulator = device.has_double ? Accumulator::float64 : Accumulator::two_floats;
  return mode;
}

Target::Target(const DeviceCapabilities& all, const Problem& problem)
    : capabilities(&all),
      types(problem.types),
      op_a(problem.op_a),
      op_b(problem.op_b),
      mode(resolved(problem.mode, all)),
      max_work_group(all.max_work_group) {}

bool is_searched(const Variant& variant, const Target& target) {
  return variant.deterministic && !(variant.for_cpus && target.device().type == DeviceType::gpu);
}

std::optional<std::string> broken_rule(const Variant& variant, const Parameters& parameters,
                                       const Target& target) {
  for (const Rule& rule : variant.rules) {
    if (!rule.holds(parameters, target)) {
      return fmt::format("{} break{} the rule: {}", text_of(parameters),
                         parameters.size() == 1 ? "s" : "", rule.text);
    }
  }
  return exceeded_limit(variant, parameters, target);
}

std::optional<std::string> exceeded_limit(const Variant& variant, const Parameters& parameters,
                                          const Target& target) {
  const auto& device = target.device();
  const WorkGroup group = variant.work_group(parameters);
  if (group[0] * group[1] > target.max_work_group || group[0] > device.max_work_items[0] ||
      group[1] > device.max_work_items[1]) {
    return fmt::format("{} makes a work-group of {} x {}; {} allows {} work-items",
                       text_of(parameters), group[0], group[1], device.name, target.max_work_group);
  }
  const std::size_t local = variant.local_bytes(parameters, target);
  if (local > device.local_memory) {
    return fmt::format("{} needs {} bytes of local memory; {} has {}", text_of(parameters), local,
                       device.name, device.local_memory);
  }
  return std::nullopt;
}

std::string build_options(const Variant& variant, const Parameters& parameters,
                          const Target& target) {
  std::string text = operands::element_option(target.types) +
                     operands::conjugate_options(target.types, target.op_a, target.op_b);
  for (const Parameter& parameter : variant.parameters) {
    if (!parameter.at_launch)
      text += fmt::format(" -D {}={}", parameter.name, parameters.at(parameter.name));
  }
  return text + variant.options(parameters, target);
}

std::string text_of(const Parameters& parameters) {
  std::vector<std::string> words;
  for (const auto& [name, value] : parameters) words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace tessera::inline v0::kernels
