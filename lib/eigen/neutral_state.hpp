// A state on the device that halts nothing and scales by one, for rounds outside of a solve.
#pragma once

#include <mutex>
#include <optional>

#include "eigen/device_state.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::eigen {

/// One for each context; it is never written.
template <class Component>
const cl::Buffer& neutral_state(runtime::Stream& stream) {
  struct IterationRecord {
    std::mutex mutex;
    std::optional<cl::Buffer> buffer;
  };
  auto& kept = stream.context().extension<IterationRecord>();
  const std::lock_guard lock(kept.mutex);
  if (!kept.buffer) {
    State<Component> idle;
    kept.buffer.emplace(stream.context().handle(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                        sizeof idle, &idle);
  }
  return *kept.buffer;
}

}  // namespace tessera::inline v0::eigen
