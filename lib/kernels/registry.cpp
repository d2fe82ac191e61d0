// The public view of variants.
#include "kernels/resolve.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {

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

Verdict VariantInfo::runs_on(const DeviceCapabilities& device, const ProductTypes& types,
                             const Mode& mode) const {
  const auto reason = kernels::why_not(*row_, {device, {.types = types, .mode = mode}});
  return {.yes = !reason.has_value(), .reason = reason.value_or("")};
}

std::vector<Parameters> VariantInfo::configurations(const DeviceCapabilities& device,
                                                    const ProductTypes& types, Coverage coverage,
                                                    const Mode& mode) const {
  return kernels::configurations(*row_, {device, {.types = types, .mode = mode}}, coverage);
}

Parameters VariantInfo::resolve(const DeviceCapabilities& device, const ProductTypes& types,
                                const Parameters& given, const Mode& mode) const {
  const kernels::Target target(device, {.types = types, .mode = mode});
  if (const auto reason = kernels::why_not(*row_, target))
    throw UnsupportedError(row_->full_name(), *reason);
  return kernels::resolve(*row_, given, target);
}

}  // namespace tessera::inline v0
