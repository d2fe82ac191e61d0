// Naive program: what every device builds, and the context for it.
#pragma once

#include <string>
#include <vector>

#include "runtime/stream.hpp"
#include "support/device.hpp"

namespace tessera::runtime {

inline const std::vector<std::string> kNaive = {"common/element.cl", "common/product.cl",
                                                "multiply/naive.cl"};

inline Context& context() { return runtime::stream_of(test::engine()).context(); }

}  // namespace tessera::runtime
