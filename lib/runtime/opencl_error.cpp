// Names of OpenCL error codes, and messages of the library's errors.
#include "runtime/opencl_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace tessera::inline v0 {
namespace runtime {
namespace {

struct Code {
  int value;
  const char* name;
};

#define TESSERA_CODE(name) \
  Code { name, #name }
constexpr std::array kCodes = {
    TESSERA_CODE(CL_DEVICE_NOT_FOUND),
    TESSERA_CODE(CL_DEVICE_NOT_AVAILABLE),
    TESSERA_CODE(CL_COMPILER_NOT_AVAILABLE),
    TESSERA_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    TESSERA_CODE(CL_OUT_OF_RESOURCES),
    TESSERA_CODE(CL_OUT_OF_HOST_MEMORY),
    TESSERA_CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    TESSERA_CODE(CL_MEM_COPY_OVERLAP),
    TESSERA_CODE(CL_IMAGE_FORMAT_MISMATCH),
    TESSERA_CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    TESSERA_CODE(CL_BUILD_PROGRAM_FAILURE),
    TESSERA_CODE(CL_MAP_FAILURE),
    TESSERA_CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    TESSERA_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    TESSERA_CODE(CL_COMPILE_PROGRAM_FAILURE),
    TESSERA_CODE(CL_LINKER_NOT_AVAILABLE),
    TESSERA_CODE(CL_LINK_PROGRAM_FAILURE),
    TESSERA_CODE(CL_DEVICE_PARTITION_FAILED),
    TESSERA_CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    TESSERA_CODE(CL_INVALID_VALUE),
    TESSERA_CODE(CL_INVALID_DEVICE_TYPE),
    TESSERA_CODE(CL_INVALID_PLATFORM),
    TESSERA_CODE(CL_INVALID_DEVICE),
    TESSERA_CODE(CL_INVALID_CONTEXT),
    TESSERA_CODE(CL_INVALID_QUEUE_PROPERTIES),
    TESSERA_CODE(CL_INVALID_COMMAND_QUEUE),
    TESSERA_CODE(CL_INVALID_HOST_PTR),
    TESSERA_CODE(CL_INVALID_MEM_OBJECT),
    TESSERA_CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    TESSERA_CODE(CL_INVALID_IMAGE_SIZE),
    TESSERA_CODE(CL_INVALID_SAMPLER),
    TESSERA_CODE(CL_INVALID_BINARY),
    TESSERA_CODE(CL_INVALID_BUILD_OPTIONS),
    TESSERA_CODE(CL_INVALID_PROGRAM),
    TESSERA_CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    TESSERA_CODE(CL_INVALID_KERNEL_NAME),
    TESSERA_CODE(CL_INVALID_KERNEL_DEFINITION),
    TESSERA_CODE(CL_INVALID_KERNEL),
    TESSERA_CODE(CL_INVALID_ARG_INDEX),
    TESSERA_CODE(CL_INVALID_ARG_VALUE),
    TESSERA_CODE(CL_INVALID_ARG_SIZE),
    TESSERA_CODE(CL_INVALID_KERNEL_ARGS),
    TESSERA_CODE(CL_INVALID_WORK_DIMENSION),
    TESSERA_CODE(CL_INVALID_WORK_GROUP_SIZE),
    TESSERA_CODE(CL_INVALID_WORK_ITEM_SIZE),
    TESSERA_CODE(CL_INVALID_GLOBAL_OFFSET),
    TESSERA_CODE(CL_INVALID_EVENT_WAIT_LIST),
    TESSERA_CODE(CL_INVALID_EVENT),
    TESSERA_CODE(CL_INVALID_OPERATION),
    TESSERA_CODE(CL_INVALID_GL_OBJECT),
    TESSERA_CODE(CL_INVALID_BUFFER_SIZE),
    TESSERA_CODE(CL_INVALID_MIP_LEVEL),
    TESSERA_CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    TESSERA_CODE(CL_INVALID_PROPERTY),
    TESSERA_CODE(CL_INVALID_IMAGE_DESCRIPTOR),
    TESSERA_CODE(CL_INVALID_COMPILER_OPTIONS),
    TESSERA_CODE(CL_INVALID_LINKER_OPTIONS),
    TESSERA_CODE(CL_INVALID_DEVICE_PARTITION_COUNT),
    TESSERA_CODE(CL_INVALID_PIPE_SIZE),
    TESSERA_CODE(CL_INVALID_DEVICE_QUEUE),
    TESSERA_CODE(CL_INVALID_SPEC_ID),
    TESSERA_CODE(CL_MAX_SIZE_RESTRICTION_EXCEEDED),
    Code{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef TESSERA_CODE

/// The first line of a build log that mentions an error, else the first line.
std::string first_error(const std::string& log) {
  std::string first, line;
  for (std::istringstream lines(log); std::getline(lines, line);) {
    if (line.find("error") != std::string::npos || line.find("fatal") != std::string::npos)
      return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "the compiler says nothing" : first;
}

/// OpenCL's name of a call that CLHPP spells otherwise.
std::string function_name(std::string call) {
  return call == "clEnqueueUnMapMemObject" ? "clEnqueueUnmapMemObject" : call;
}

}  // namespace

ErrorCode error_code(int opencl_code) {
  constexpr int kIllegalAccess = -9999;  // NVIDIA's, of a kernel; the context is of no more use
  switch (opencl_code) {
    case CL_DEVICE_NOT_AVAILABLE:
    case kIllegalAccess: return ErrorCode::device_lost;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return ErrorCode::out_of_memory;
    case CL_OUT_OF_HOST_MEMORY: return ErrorCode::out_of_host_memory;
    default: return ErrorCode::opencl_failed;
  }
}

std::string code_name(int code) {
  const auto* found = std::ranges::find(kCodes, code, &Code::value);
  return found == kCodes.end() ? "unknown error" : found->name;
}

}  // namespace runtime

OpenClError::OpenClError(int code, std::string call, const std::string& doing)
    : Error(runtime::error_code(code),
            fmt::format("{}{}: {} ({})", doing.empty() ? "" : doing + ": ",
                        runtime::function_name(call), runtime::code_name(code), code)),
      opencl_code_(code),
      call_(runtime::function_name(std::move(call))),
      name_(runtime::code_name(code)) {}

BuildError::BuildError(std::string file, std::string device, std::string options, std::string log)
    : Error(ErrorCode::build_failed, fmt::format("{} does not compile on {} with \"{}\": {}", file,
                                                 device, options, runtime::first_error(log))),
      file_(std::move(file)),
      device_(std::move(device)),
      options_(std::move(options)),
      log_(std::move(log)) {}

UnsupportedError::UnsupportedError(std::string variant, const std::string& reason, ErrorCode code)
    : Error(code, variant + ": " + reason), variant_(std::move(variant)) {}

}  // namespace tessera::inline v0
