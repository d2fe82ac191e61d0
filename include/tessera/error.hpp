// Errors: everything that the library throws, each with the facts that a program may want to read.
#pragma once

#include <stdexcept>
#include <string>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// Base of all errors of the library; `what()` is one line, a build log apart.
class TESSERA_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call of OpenCL failed.
class TESSERA_API OpenClError : public Error {
 public:
  /// `doing` says what for, with kernel and sizes where there are any; it may be empty.
  OpenClError(int code, std::string call, const std::string& doing);

  int code() const noexcept { return code_; }                      ///< -54
  const std::string& call() const noexcept { return call_; }       ///< "clEnqueueNDRangeKernel"
  const std::string& code_name() const noexcept { return name_; }  ///< "CL_INVALID_WORK_GROUP_SIZE"

 private:
  int code_;
  std::string call_, name_;
};

/// A kernel does not compile; `what()` ends with the first error of the compiler's log.
class TESSERA_API BuildError : public Error {
 public:
  BuildError(std::string file, std::string device, std::string options, std::string log);

  const std::string& file() const noexcept { return file_; }  ///< "cl/multiply/naive.cl"
  const std::string& device() const noexcept { return device_; }
  const std::string& options() const noexcept { return options_; }  ///< "-D TILE=16 …"
  const std::string& log() const noexcept { return log_; }

 private:
  std::string file_, device_, options_, log_;
};

/// No device answers the selector, or operands live on different devices.
class TESSERA_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// More memory is asked for than the device allows; `what()` has the numbers.
class TESSERA_API MemoryError : public Error {
 public:
  using Error::Error;
};

/// A name or a value that there is not: a misspelt operation, variant or parameter, a value that is
/// no candidate, an option out of its range; `what()` lists what there is.
class TESSERA_API ArgumentError : public Error {
 public:
  using Error::Error;
};

/// A kernel that was asked for by name cannot do this: `what()` names it and says why.
class TESSERA_API UnsupportedError : public Error {
 public:
  UnsupportedError(std::string variant, const std::string& reason);

  const std::string& variant() const noexcept { return variant_; }  ///< "multiply/tiled_static"

 private:
  std::string variant_;
};

/// Shapes that do not fit, operands that overlap, or content that an operation cannot take.
class TESSERA_API MatrixError : public Error {
 public:
  using Error::Error;
};

}  // namespace tessera::inline v0
