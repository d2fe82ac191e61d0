// Programs of cl/operands/, which fill and scan matrices on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "operands/element.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::reference {

inline std::shared_ptr<runtime::Program> device_program(runtime::Stream& stream,
                                                        const std::string& name, ElementType type) {
  return stream.context().programs().get("operands/" + name + ".cl",
                                         operands::element_option(operands::part_type(type)));
}

/// Enough work-items for any device. A work-item processes as many elements as needed.
inline runtime::Grid grid_of(const DeviceInfo& device, std::size_t count) {
  const std::size_t group = std::min<std::size_t>(64, device.max_work_group);
  return {{std::clamp<std::size_t>((count + group - 1) / group, 1, 16384), 1}, {group, 1}};
}

}  // namespace tessera::inline v0::reference
