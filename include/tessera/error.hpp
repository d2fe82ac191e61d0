// Errors: everything that the library throws, with the details that a program may want to read.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// The exact cause of an error; its class groups the causes that programs catch together. A number
/// never changes its meaning, and new causes get new numbers. Functions that return a status return
/// 0 for success.
enum class ErrorCode : std::int32_t {
  // ArgumentError
  invalid_value = 101,        ///< a value is out of range or not a candidate
  unknown_name = 102,         ///< no operation, variant or parameter has this name
  conflicting_options = 103,  ///< options exclude each other, or an operand is missing: beta, no c
  wrong_context = 104,        ///< operands, streams or handles belong to different contexts
  unsupported_queue = 105,    ///< an adopted queue is out-of-order
  invalid_json = 106,         ///< the text is not the JSON of a device or of a problem

  // MatrixError
  invalid_shape = 201,       ///< a shape does not match the other operands or the operation
  out_of_bounds = 202,       ///< a block, batch or view exceeds its matrix or its buffer
  overlapping = 203,         ///< an output shares elements with an input or with itself
  moved_from = 204,          ///< a matrix was moved from
  too_large = 205,           ///< 64 bits cannot address the elements
  unsupported_layout = 206,  ///< the elements of a vector are not contiguous
  unsupported_buffer = 207,  ///< the memory object is an image, or kernels may only read it
  invalid_element = 208,     ///< an element or a row sum is negative, infinite or NaN
  wrong_type = 209,          ///< an operand's element type does not suit the others

  // UnsupportedError
  unsupported = 301,   ///< the kernel cannot compute this problem on this device
  failed_check = 302,  ///< the kernel gave a wrong result or crashed when it was first used

  // BuildError
  build_failed = 401,  ///< the device's compiler rejects a kernel

  // DeviceError
  no_device = 501,       ///< no device matches the selector
  forked_process = 502,  ///< the process was forked from one that had used OpenCL

  // MemoryError; OpenClError, if the driver reports it
  out_of_memory = 601,  ///< the device has too little memory

  // OpenClError
  opencl_failed = 701,       ///< an OpenCL call failed: see OpenClError::opencl_code()
  device_lost = 702,         ///< the device is no longer available: see Engine::lost()
  out_of_host_memory = 703,  ///< the driver has too little host memory

  // Error
  io = 801,             ///< a file cannot be found, read, written or removed
  busy = 802,           ///< another tuner is working on the same problem
  worker_failed = 803,  ///< a worker process cannot be started, or stops too often

  // CancelledError
  cancelled = 901,  ///< the caller has cancelled the operation

  // RemoteError
  rank_failed = 1001,  ///< a rank threw an exception that is none of the library's
};

/// The name of the enumerator, "invalid_value"; "unknown" for any other number.
TESSERA_API std::string_view to_string(ErrorCode code);

/// Base of all errors of the library; `what()` is one line, a build log is kept separately.
class TESSERA_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what) : std::runtime_error(what), code_(code) {}

  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// An OpenCL call failed.
class TESSERA_API OpenClError : public Error {
 public:
  /// `doing` says what the call was for, with kernel and sizes if there are any; it may be empty.
  OpenClError(int opencl_code, std::string call, const std::string& doing);

  int opencl_code() const noexcept { return opencl_code_; }   ///< -54
  const std::string& call() const noexcept { return call_; }  ///< "clEnqueueNDRangeKernel"
  /// "CL_INVALID_WORK_GROUP_SIZE"
  const std::string& opencl_name() const noexcept { return name_; }

 private:
  int opencl_code_;
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

/// This process can use no such device; `what()` lists the devices that exist.
class TESSERA_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// More memory was requested than the device allows; `what()` gives the numbers.
class TESSERA_API MemoryError : public Error {
 public:
  explicit MemoryError(const std::string& what) : Error(ErrorCode::out_of_memory, what) {}
};

/// An argument is invalid by itself or beside the others; `what()` lists the valid names or values.
class TESSERA_API ArgumentError : public Error {
 public:
  using Error::Error;
};

/// A kernel, or every kernel, is unable to compute this; `what()` names it and says why.
class TESSERA_API UnsupportedError : public Error {
 public:
  UnsupportedError(std::string variant, const std::string& reason,
                   ErrorCode code = ErrorCode::unsupported);

  const std::string& variant() const noexcept { return variant_; }  ///< "multiply/tiled_static"

 private:
  std::string variant_;
};

/// A matrix has a shape, memory or elements that an operation does not accept.
class TESSERA_API MatrixError : public Error {
 public:
  using Error::Error;
};

/// The caller cancelled the operation.
class TESSERA_API CancelledError : public Error {
 public:
  explicit CancelledError(const std::string& what) : Error(ErrorCode::cancelled, what) {}
};

}  // namespace tessera::inline v0
