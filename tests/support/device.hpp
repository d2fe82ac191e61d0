// The engine that all tests of a process share.
#pragma once

#include <optional>
#include <tessera/engine.hpp>

#include "variable.hpp"

namespace tessera::test {

/// On the device of $TESSERA_DEVICE, else the fastest; made when it is first asked for, by one
/// thread.
const Engine& engine();

/// While it lives, engines that are made on a CPU compile without optimisation, in a tenth of the
/// time, if its runtime supports this. It is for tests of the code around kernels, or of their
/// logic alone.
class WithoutOptimiser {
 public:
  WithoutOptimiser();

 private:
  std::optional<Variable> options_;
};

}  // namespace tessera::test
