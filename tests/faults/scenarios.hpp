// Scenarios: uses of the library in which OpenCL's functions can fail.
#pragma once

#include <functional>
#include <string>
#include <string_view>
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
/// All of these, and more transfers, whose memory is the caller's or the library's own.
std::vector<Scenario> of_lost_devices();

/// Is it the call that failed, as OpenClError::call() names it?
bool is_failed_call(std::string_view call);
/// Does the text of another error name the call that failed with this code, or say in words what
/// the code means: no device, or a program that does not compile?
bool tells_failure(std::string_view text, int code);

/// What is wrong with how a run ends; empty where it gives the right values or throws what the
/// library promises. `code` is that of a call that fails, which errors are to name; 0: a
/// command fails, or the device is lost.
std::string defect(const Scenario& scenario, const Engine& engine, bool& threw, int code = 0);

}  // namespace tessera::test
