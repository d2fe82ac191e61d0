// The public view of variants.
#include "kernels/lanes.hpp"
#include "kernels/variant.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

kernels::Target target_of(const Engine& engine, ElementType type) {
  return {*engine.stream(), type, engine.device().max_work_group};
}

}  // namespace

const std::string& VariantInfo::name() const { return row_->name; }
const std::string& VariantInfo::summary() const { return row_->summary; }
bool VariantInfo::deterministic() const { return row_->deterministic; }

std::vector<ParameterInfo> VariantInfo::parameters() const {
  std::vector<ParameterInfo> result;
  for (const auto& parameter : row_->parameters) {
    result.push_back({parameter.name, parameter.meaning, parameter.candidates});
  }
  return result;
}

Verdict VariantInfo::runs_on(const Engine& engine, ElementType type) const {
  const auto reason =
      runtime::with_opencl_errors([&] { return kernels::why_not(*row_, target_of(engine, type)); });
  return {.yes = !reason.has_value(), .reason = reason.value_or("")};
}

std::vector<Parameters> VariantInfo::configurations(const Engine& engine, ElementType type,
                                                    Coverage coverage) const {
  return runtime::with_opencl_errors(
      [&] { return kernels::configurations(*row_, target_of(engine, type), coverage); });
}

Parameters VariantInfo::resolve(const Engine& engine, ElementType type,
                                const Parameters& given) const {
  return runtime::with_opencl_errors([&] {
    const kernels::Target target = target_of(engine, type);
    if (const auto reason = kernels::why_not(*row_, target))
      throw UnsupportedError(row_->full_name(), *reason);
    return kernels::resolve(*row_, given, target);
  });
}

std::vector<std::string> lane_exchanges(const Engine& engine) {
  return runtime::with_opencl_errors([&] {
    std::vector<std::string> names;
    for (const auto& support : kernels::lane_support(*engine.stream())) {
      names.emplace_back(kernels::name(support.exchange));
    }
    return names;
  });
}

}  // namespace tessera::inline v0
