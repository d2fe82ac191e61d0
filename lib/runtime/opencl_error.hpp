// Translation of CLHPP's exceptions into the library's.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "runtime/opencl.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

/// "CL_INVALID_WORK_GROUP_SIZE"; "unknown error" for a code that OpenCL 3.0 does not define.
std::string code_name(int code);

/// The cause that an OpenCL code names for certain, else ErrorCode::opencl_failed.
ErrorCode error_code(int opencl_code);

/// Runs `call`; an OpenCL error becomes an OpenClError with the text of `doing()`.
template <std::invocable Call, std::invocable Doing>
decltype(auto) with_opencl_errors(Call&& call, Doing&& doing) {
  try {
    return std::forward<Call>(call)();
  } catch (const cl::Error& error) {
    throw OpenClError(error.err(), error.what(), doing());
  }
}

template <std::invocable Call>
decltype(auto) with_opencl_errors(Call&& call) {
  return with_opencl_errors(std::forward<Call>(call), [] { return std::string(); });
}

/// Throws cl::Error if a call of the C API failed.
inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw cl::Error(code, call);
}

}  // namespace tessera::inline v0::runtime
