// Answers of the worker program, on its original standard output.
#pragma once

#include <cstdlib>
#include <string>

#include "runtime/child_process.hpp"
#include "runtime/descriptor.hpp"
#include "runtime/worker_life.hpp"

namespace tessera::inline v0::tuning {

/// Messages to the parent; what drivers print on standard output goes to standard error.
class Answers {
 public:
  void send(const runtime::Json& json) const {
    const std::string line = runtime::line_of(json);
    if (!runtime::write_all(file_, line.data(), line.size())) std::_Exit(1);
  }

 private:
  int file_ = runtime::take_standard_output();
};

}  // namespace tessera::inline v0::tuning
