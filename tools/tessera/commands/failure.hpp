// Failure: what an error that ends the command is to its user.
#pragma once

#include <exception>
#include <string>

namespace tessera::tool {

struct Failure {
  int status;        ///< a Status
  std::string what;  ///< for one line of standard error
};
Failure failure_of(const std::exception& error);

}  // namespace tessera::tool
