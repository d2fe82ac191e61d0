// Naive program: what every device builds, and the context for it.
#pragma once

#include <string>

#include "runtime/stream.hpp"
#include "support/device.hpp"

namespace tessera::runtime {

inline const std::string kNaive = "multiply/naive.cl";

inline Context& context() { return runtime::stream_of(test::engine()).context(); }

}  // namespace tessera::runtime
