// The state on the device of rounds outside a solve.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include "eigen/report.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::eigen {

/// A state that neither halts, scales nor concludes rounds. The context has one for each kind of
/// numbers; no kernel writes it.
inline const cl::Buffer& neutral_state(runtime::Stream& stream, Wide wide) {
  struct SharedStates {
    std::mutex mutex;
    std::array<std::optional<cl::Buffer>, 2> buffers;
  };
  auto& shared = stream.context().extension<SharedStates>();
  const std::lock_guard lock(shared.mutex);
  auto& buffer = shared.buffers.at(static_cast<std::size_t>(wide));
  if (!buffer) {
    std::vector<std::byte> initial = initial_state(wide);
    buffer.emplace(stream.context().handle(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                   initial.size(), initial.data());
  }
  return *buffer;
}

}  // namespace tessera::inline v0::eigen
