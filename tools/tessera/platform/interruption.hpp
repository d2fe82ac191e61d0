// Interruption: ends long work at the first Ctrl-C, the program at the second.
#pragma once

#include <memory>
#include <tessera/cancellation.hpp>

namespace tessera::tool {

/// Lives before any other thread does, so that all inherit that the signals are blocked.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();
  CancelToken token() const;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace tessera::tool
