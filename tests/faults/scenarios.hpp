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
/// All of these, and more transfers, whose memory is the caller's or the library's own.
std::vector<Scenario> of_lost_devices();

/// Does the text of an error name the call that failed?
bool names_failed_call(const std::string& text);
/// Is it a code that the library puts into words: no device, or a program that does not compile?
bool is_said_in_words(int code);

/// What is wrong with how a run ends; empty where it gives the right values or throws what the
/// library promises. `code` is that of a call that fails, which errors are to name; 0: a
/// command fails, or the device is lost.
std::string defect(const Scenario& scenario, const Engine& engine, bool& threw, int code = 0);

}  // namespace tessera::test
