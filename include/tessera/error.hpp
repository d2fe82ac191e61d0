// Errors: everything that the library throws, with the details that a program may want to read.
#pragma once

#include <stdexcept>
#include <string>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// Base of all errors of the library; `what()` is one line, a build log is kept separately.
class TESSERA_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An OpenCL call failed.
class TESSERA_API OpenClError : public Error {
 public:
  /// `doing` says what the call was for, with kernel and sizes if there are any; it may be empty.
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

/// No device matches the selector, or operands live on different devices.
class TESSERA_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// More memory was requested than the device allows; `what()` gives the numbers.
class TESSERA_API MemoryError : public Error {
 public:
  using Error::Error;
};

/// An unknown name or an invalid value: a misspelt operation, variant or parameter, a value that is
/// not a candidate, an option out of range; `what()` lists the valid ones.
class TESSERA_API ArgumentError : public Error {
 public:
  using Error::Error;
};

/// A kernel that was requested by name cannot do this: `what()` names it and says why.
class TESSERA_API UnsupportedError : public Error {
 public:
  UnsupportedError(std::string variant, const std::string& reason);

  const std::string& variant() const noexcept { return variant_; }  ///< "multiply/tiled_static"

 private:
  std::string variant_;
};

/// Shapes that do not match, operands that overlap, or contents that an operation does not accept.
class TESSERA_API MatrixError : public Error {
 public:
  using Error::Error;
};

/// The caller cancelled the operation.
class TESSERA_API CancelledError : public Error {
 public:
  using Error::Error;
};

}  // namespace tessera::inline v0
