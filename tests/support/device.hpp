// The engine that all tests of a process share.
#pragma once

#include <optional>
#include <tessera/engine.hpp>

#include "variable.hpp"

namespace tessera::test {

/// On the device of $TESSERA_DEVICE, else the fastest; made when it is first asked for, by one
/// thread.
const Engine& engine();

/// As long as it lives, engines that are made on a CPU compile without optimisation, in a tenth of
/// the time, where its runtime can: for tests of what surrounds kernels, or of their logic alone.
class WithoutOptimiser {
 public:
  WithoutOptimiser();

 private:
  std::optional<Variable> options_;
};

}  // namespace tessera::test
