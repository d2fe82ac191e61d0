// The engine that all tests of a process share.
#pragma once

#include <tessera/engine.hpp>

namespace tessera::test {

/// On the device of $TESSERA_DEVICE, else the fastest; made when it is first asked for, by one
/// thread.
const Engine& engine();

}  // namespace tessera::test
