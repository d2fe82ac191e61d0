// Intercept: what a call of OpenCL does instead of, before or after the loader's function.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "own_work.hpp"

namespace tessera::test::intercept {

inline constexpr cl_int kFault = CL_OUT_OF_RESOURCES;

inline std::atomic<bool> counting = false;
inline std::atomic<bool> refusing_odd_rectangles = false, separating_memory = false;
inline std::atomic<long> count = 0, enqueued = 0, waited = 0, fail_at = -1, fail_command_at = -1;
inline constexpr long kNever = LONG_MAX;
inline std::atomic<long> lost_from = kNever;  // of the calls that wait
inline std::atomic<const char*> failed = nullptr;
inline std::mutex references_mutex;
inline std::map<std::string, long> references;

inline bool fails(const char* name) {
  if (!counting || count++ != fail_at) return false;
  failed = name;
  return true;
}

/// A transfer that the library does not know to have ended.
struct Transfer {
  std::byte* memory;  // the host's
  std::size_t bytes;
  bool writes, is_freed;
};
inline std::mutex transfers_mutex;
inline std::vector<Transfer> transfers;
inline std::byte* stack = nullptr;  // of who called lose_device()

inline bool lost() { return counting && waited > lost_from; }

/// A call that returns when the device is done with something; when it is lost, it does not tell.
inline cl_int waited_for(cl_int status) {
  if (!counting) return status;
  waited++;
  if (lost()) {
    failed = "waiting";
    return kFault;
  }
  const std::lock_guard lock(transfers_mutex);
  if (status == CL_SUCCESS) transfers.clear();
  return status;
}

inline void refer(const char* kind, long change) {
  const std::lock_guard lock(references_mutex);
  references[kind] += change;
}

template <class Function>
Function* original(const char* name) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) {
    std::fprintf(stderr, "libOpenCL.so.1 has no %s\n", name);
    std::abort();
  }
  return reinterpret_cast<Function*>(function);
}

/// A function that returns a status.
template <class Function, class... Arguments>
cl_int call(const char* name, Function*, Arguments... arguments) {
  const OpenClCall inside;
  if (fails(name)) return kFault;
  return original<Function>(name)(arguments...);
}

/// A function that makes an object; the last argument is where the status goes.
template <class Function, class... Arguments>
auto create(const char* kind, const char* name, Function*, cl_int* status, Arguments... arguments) {
  const OpenClCall inside;
  using Handle = decltype(original<Function>(name)(arguments..., status));
  if (fails(name)) {
    if (status != nullptr) *status = kFault;
    return Handle();
  }
  const Handle handle = original<Function>(name)(arguments..., status);
  if (handle != nullptr) refer(kind, 1);
  return handle;
}

#define FUNCTION(name) #name, static_cast < decltype(name)*>(nullptr)
#define ORIGINAL(name) original<decltype(name)>(#name)

/// The event of a command that has failed on the device.
inline cl_int failed_event(cl_command_queue queue, cl_event* event) {
  if (event == nullptr) return CL_SUCCESS;
  cl_context context = nullptr;
  cl_int status = ORIGINAL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof context,
                                                  static_cast<void*>(&context), nullptr);
  *event = ORIGINAL(clCreateUserEvent)(context, &status);
  return ORIGINAL(clSetUserEventStatus)(*event, kFault);
}

/// A function that enqueues a command; the event that it returns is a reference.
template <class Function, class... Arguments>
cl_int enqueue(const char* name, Function*, cl_event* event, cl_command_queue queue,
               Arguments... arguments) {
  const OpenClCall inside;
  if (fails(name)) return kFault;
  const bool drop = counting && enqueued++ == fail_command_at;
  if (drop) failed = name;
  const cl_int status =
      drop ? failed_event(queue, event) : original<Function>(name)(queue, arguments..., event);
  if (status == CL_SUCCESS && event != nullptr) refer("event", 1);
  return status;
}

/// A command that reads or writes `bytes` bytes of host memory.
template <class Function, class... Arguments>
cl_int transfer(const char* name, Function* function, cl_event* event, cl_bool waits,
                const void* memory, size_t bytes, bool writes, Arguments... arguments) {
  auto* const begin = static_cast<std::byte*>(const_cast<void*>(memory));  // written where `writes`
  if (stack != nullptr) {
    const std::lock_guard lock(transfers_mutex);
    transfers.push_back({begin, bytes, writes, begin < stack && begin > stack - (1 << 20)});
  }
  const cl_int status = enqueue(name, function, event, arguments...);
  return waits == CL_TRUE ? waited_for(status) : status;
}

/// A barrier or a marker, on a runtime that goes on after what it waits for has failed.
template <class Function>
cl_int enqueue_after(const char* name, Function* function, cl_event* event, cl_command_queue queue,
                     cl_uint number, const cl_event* events) {
  std::vector<cl_event> others;
  std::copy_if(events, events + number, std::back_inserter(others), [](cl_event other) {
    cl_int status = CL_QUEUED;
    ORIGINAL(clGetEventInfo)
    (other, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status >= CL_COMPLETE;
  });
  return enqueue(name, function, event, queue, static_cast<cl_uint>(others.size()),
                 others.empty() ? nullptr : others.data());
}

/// Is this a rectangle that refuse_odd_rectangles() speaks of?
inline bool is_odd(cl_mem buffer, const size_t* origin, const size_t* region, size_t pitch) {
  size_t size = 0;
  ORIGINAL(clGetMemObjectInfo)(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr);
  return refusing_odd_rectangles &&
         (origin[0] + region[0] > pitch || (origin[1] + region[1]) * pitch > size);
}

}  // namespace tessera::test::intercept
