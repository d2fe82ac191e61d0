// A copy of the library for two_copies.cpp, as a plugin of an application has one.
#include <tessera/tessera.hpp>

extern "C" __attribute__((visibility("default"))) int devices_of_copy() {
  return static_cast<int>(tessera::devices().size());
}
