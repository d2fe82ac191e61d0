// Failure: what an error that ends the command is to its user.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace tessera::tool {

struct Failure {
  int status;        ///< a Status
  std::string what;  ///< for one line of standard error
};
Failure failure_of(const std::exception& error);

/// The failure that ended another process, which ran a part of the command.
class ForeignFailure : public std::runtime_error {
 public:
  ForeignFailure(int status, const std::string& what) : std::runtime_error(what), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace tessera::tool
