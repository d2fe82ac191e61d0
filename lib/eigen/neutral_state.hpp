// A state on the device that neither halts, scales nor concludes rounds, for rounds outside a
// solve.
#pragma once

#include <mutex>
#include <optional>

#include "eigen/device_state.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::eigen {

/// One per context, never written.
template <class Component>
const cl::Buffer& neutral_state(runtime::Stream& stream) {
  struct SharedState {
    std::mutex mutex;
    std::optional<cl::Buffer> buffer;
  };
  auto& shared = stream.context().extension<SharedState>();
  const std::lock_guard lock(shared.mutex);
  if (!shared.buffer) {
    State<Component> neutral;
    shared.buffer.emplace(stream.context().handle(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                          sizeof neutral, &neutral);
  }
  return *shared.buffer;
}

}  // namespace tessera::inline v0::eigen
