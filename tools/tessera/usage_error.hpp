// Usage error: what a user gave and the command cannot take.
#pragma once

#include <stdexcept>

namespace tessera::tool {

/// Bad usage or bad input: one line for standard error.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera::tool
