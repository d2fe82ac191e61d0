// Scenarios: uses of the library in which OpenCL's functions can fail.
#pragma once

#include <functional>
#include <string>
#include <tessera/engine.hpp>
#include <vector>

namespace tessera::test {

/// An engine with a program store of its own, on one context for all: some drivers take long to
/// make one.
Engine new_engine();

struct Scenario {
  std::string name;
  std::function<void(const Engine&)> run;
  bool cached;  ///< programs come from a warm cache on disk
  bool separate_memory = false;
};

/// Every operation, type of transfer and variant.
std::vector<Scenario> scenarios();
/// The operations above, and more transfers, with the caller's memory or the library's own.
std::vector<Scenario> of_lost_devices();

}  // namespace tessera::test
