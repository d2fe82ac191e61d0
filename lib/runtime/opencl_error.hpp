// Translation of CLHPP's exceptions into the library's.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "runtime/opencl.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {

/// "CL_INVALID_WORK_GROUP_SIZE"; "unknown error" for a code that OpenCL 3.0 does not have.
std::string code_name(int code);

/// Runs `call`; an error of OpenCL becomes an OpenClError with what `doing()` says.
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

/// Throws cl::Error where a call of the C interface did not succeed.
inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw cl::Error(code, call);
}

}  // namespace tessera::inline v0::runtime
