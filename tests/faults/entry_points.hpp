// Entry points: the functions of OpenCL that are intercepted, and the codes that each may return.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

#include "opencl_header.hpp"

namespace tessera::test::intercept {

#define MEMORY CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY
#define QUEUE CL_INVALID_COMMAND_QUEUE
#define ORDER CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST
#define BLOCKING CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
#define BUFFER \
  CL_INVALID_MEM_OBJECT, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_MEM_OBJECT_ALLOCATION_FAILURE
#define VALUE CL_INVALID_VALUE

/// FUNCTION(name, code...) for each, by name.
#define FOR_EACH_ENTRY_POINT(FUNCTION)                                                             \
  FUNCTION(clBuildProgram, MEMORY, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_PROGRAM, VALUE,            \
           CL_INVALID_DEVICE, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS,                         \
           CL_COMPILER_NOT_AVAILABLE, CL_INVALID_OPERATION)                                        \
  FUNCTION(clCreateBuffer, MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_CONTEXT,           \
           CL_INVALID_BUFFER_SIZE, CL_INVALID_HOST_PTR, VALUE)                                     \
  FUNCTION(clCreateCommandQueue, MEMORY, CL_INVALID_CONTEXT, CL_INVALID_DEVICE,                    \
           CL_INVALID_QUEUE_PROPERTIES, VALUE)                                                     \
  FUNCTION(clCreateContext, MEMORY, CL_DEVICE_NOT_AVAILABLE, CL_INVALID_DEVICE,                    \
           CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, VALUE)                                        \
  FUNCTION(clCreateImage, MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_CONTEXT,            \
           CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, \
           CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_INVALID_OPERATION, CL_INVALID_HOST_PTR, VALUE)        \
  FUNCTION(clCreateKernel, MEMORY, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE,              \
           CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION, VALUE)                            \
  FUNCTION(clCreateProgramWithBinary, MEMORY, CL_INVALID_BINARY, CL_INVALID_CONTEXT,               \
           CL_INVALID_DEVICE, VALUE)                                                               \
  FUNCTION(clCreateProgramWithSource, MEMORY, CL_INVALID_CONTEXT, VALUE)                           \
  FUNCTION(clCreateUserEvent, MEMORY, CL_INVALID_CONTEXT)                                          \
  FUNCTION(clEnqueueBarrierWithWaitList, MEMORY, QUEUE, ORDER)                                     \
  FUNCTION(clEnqueueCopyBuffer, MEMORY, QUEUE, ORDER, BUFFER, CL_MEM_COPY_OVERLAP, VALUE)          \
  FUNCTION(clEnqueueCopyBufferRect, MEMORY, QUEUE, ORDER, BUFFER, CL_MEM_COPY_OVERLAP, VALUE)      \
  FUNCTION(clEnqueueFillBuffer, MEMORY, QUEUE, ORDER, BUFFER, VALUE)                               \
  FUNCTION(clEnqueueMapBuffer, MEMORY, CL_MAP_FAILURE, QUEUE, ORDER, BUFFER, BLOCKING,             \
           CL_INVALID_OPERATION, VALUE)                                                            \
  FUNCTION(clEnqueueMarkerWithWaitList, MEMORY, QUEUE, ORDER)                                      \
  FUNCTION(clEnqueueNDRangeKernel, MEMORY, QUEUE, ORDER, CL_MEM_OBJECT_ALLOCATION_FAILURE,         \
           CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL, CL_INVALID_KERNEL_ARGS,               \
           CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_GLOBAL_OFFSET,       \
           CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_MISALIGNED_SUB_BUFFER_OFFSET, \
           CL_INVALID_IMAGE_SIZE)                                                                  \
  FUNCTION(clEnqueueReadBuffer, MEMORY, QUEUE, ORDER, BUFFER, BLOCKING, CL_INVALID_OPERATION,      \
           VALUE)                                                                                  \
  FUNCTION(clEnqueueReadBufferRect, MEMORY, QUEUE, ORDER, BUFFER, BLOCKING, CL_INVALID_OPERATION,  \
           VALUE)                                                                                  \
  FUNCTION(clEnqueueUnmapMemObject, MEMORY, QUEUE, ORDER, CL_INVALID_MEM_OBJECT, VALUE)            \
  FUNCTION(clEnqueueWriteBuffer, MEMORY, QUEUE, ORDER, BUFFER, BLOCKING, CL_INVALID_OPERATION,     \
           VALUE)                                                                                  \
  FUNCTION(clEnqueueWriteBufferRect, MEMORY, QUEUE, ORDER, BUFFER, BLOCKING, CL_INVALID_OPERATION, \
           VALUE)                                                                                  \
  FUNCTION(clFinish, MEMORY, QUEUE)                                                                \
  FUNCTION(clFlush, MEMORY, QUEUE)                                                                 \
  FUNCTION(clGetCommandQueueInfo, MEMORY, QUEUE, VALUE)                                            \
  FUNCTION(clGetContextInfo, MEMORY, CL_INVALID_CONTEXT, VALUE)                                    \
  FUNCTION(clGetDeviceIDs, MEMORY, CL_DEVICE_NOT_FOUND, CL_INVALID_PLATFORM,                       \
           CL_INVALID_DEVICE_TYPE, VALUE)                                                          \
  FUNCTION(clGetDeviceInfo, MEMORY, CL_INVALID_DEVICE, VALUE)                                      \
  FUNCTION(clGetEventInfo, MEMORY, CL_INVALID_EVENT, VALUE)                                        \
  FUNCTION(clGetEventProfilingInfo, MEMORY, CL_PROFILING_INFO_NOT_AVAILABLE, CL_INVALID_EVENT,     \
           VALUE)                                                                                  \
  FUNCTION(clGetKernelSubGroupInfo, MEMORY, CL_INVALID_KERNEL, CL_INVALID_DEVICE,                  \
           CL_INVALID_OPERATION, VALUE)                                                            \
  FUNCTION(clGetKernelWorkGroupInfo, MEMORY, CL_INVALID_KERNEL, CL_INVALID_DEVICE, VALUE)          \
  FUNCTION(clGetMemObjectInfo, MEMORY, CL_INVALID_MEM_OBJECT, VALUE)                               \
  FUNCTION(clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY, CL_PLATFORM_NOT_FOUND_KHR, VALUE)              \
  FUNCTION(clGetPlatformInfo, CL_OUT_OF_HOST_MEMORY, CL_INVALID_PLATFORM, VALUE)                   \
  FUNCTION(clGetProgramBuildInfo, MEMORY, CL_INVALID_PROGRAM, CL_INVALID_DEVICE, VALUE)            \
  FUNCTION(clGetProgramInfo, MEMORY, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, VALUE)     \
  FUNCTION(clReleaseCommandQueue, MEMORY, QUEUE)                                                   \
  FUNCTION(clReleaseContext, MEMORY, CL_INVALID_CONTEXT)                                           \
  FUNCTION(clReleaseDevice, MEMORY, CL_INVALID_DEVICE)                                             \
  FUNCTION(clReleaseEvent, MEMORY, CL_INVALID_EVENT)                                               \
  FUNCTION(clReleaseKernel, MEMORY, CL_INVALID_KERNEL)                                             \
  FUNCTION(clReleaseMemObject, MEMORY, CL_INVALID_MEM_OBJECT)                                      \
  FUNCTION(clReleaseProgram, MEMORY, CL_INVALID_PROGRAM)                                           \
  FUNCTION(clRetainCommandQueue, MEMORY, QUEUE)                                                    \
  FUNCTION(clRetainContext, MEMORY, CL_INVALID_CONTEXT)                                            \
  FUNCTION(clRetainDevice, MEMORY, CL_INVALID_DEVICE)                                              \
  FUNCTION(clRetainEvent, MEMORY, CL_INVALID_EVENT)                                                \
  FUNCTION(clRetainKernel, MEMORY, CL_INVALID_KERNEL)                                              \
  FUNCTION(clRetainMemObject, MEMORY, CL_INVALID_MEM_OBJECT)                                       \
  FUNCTION(clRetainProgram, MEMORY, CL_INVALID_PROGRAM)                                            \
  FUNCTION(clSetKernelArg, MEMORY, CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE,  \
           CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER, CL_INVALID_ARG_SIZE)                         \
  FUNCTION(clSetMemObjectDestructorCallback, MEMORY, CL_INVALID_MEM_OBJECT, VALUE)                 \
  FUNCTION(clSetUserEventStatus, MEMORY, CL_INVALID_EVENT, CL_INVALID_OPERATION, VALUE)            \
  FUNCTION(clWaitForEvents, MEMORY, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,                  \
           CL_INVALID_CONTEXT, CL_INVALID_EVENT, VALUE)

struct EntryPoint {
  std::string_view name;
  std::array<cl_int, 20> codes;  ///< 0 after the last
  std::atomic<long> calls = 0;
};

enum class Entry : std::size_t {
#define NUMBER(name, ...) name,
  FOR_EACH_ENTRY_POINT(NUMBER)
#undef NUMBER
};

#define ROW(name, ...) EntryPoint{#name, {__VA_ARGS__}},
inline constinit EntryPoint entry_points[] = {FOR_EACH_ENTRY_POINT(ROW)};
#undef ROW

#undef MEMORY
#undef QUEUE
#undef ORDER
#undef BLOCKING
#undef BUFFER
#undef VALUE

inline EntryPoint& at(Entry entry) { return entry_points[static_cast<std::size_t>(entry)]; }

}  // namespace tessera::test::intercept
