// OpenCL's functions, as far as the library calls them, defined here before those of the ICD
// loader.
#include "fault.hpp"

#include "own_work.hpp"

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
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

namespace {

using tessera::test::OpenClCall;

constexpr cl_int kFault = CL_OUT_OF_RESOURCES;

std::atomic<bool> counting = false;
std::atomic<bool> refusing_odd_rectangles = false, separating_memory = false;
std::atomic<long> count = 0, enqueued = 0, waited = 0, fail_at = -1, fail_command_at = -1;
constexpr long kNever = LONG_MAX;
std::atomic<long> lost_from = kNever;  // of the calls that wait
std::atomic<const char*> failed = nullptr;
std::mutex mutex;
std::map<std::string, long> references;

bool fails(const char* name) {
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
std::mutex transfers_mutex;
std::vector<Transfer> transfers;
std::byte* stack = nullptr;  // of who called lose_device()

bool lost() { return counting && waited > lost_from; }

/// A call that returns when the device is done with something; when it is lost, it does not tell.
cl_int waited_for(cl_int status) {
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

void note_freed(const void* memory, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(transfers_mutex);
  for (Transfer& transfer : transfers) {
    if (begin < transfer.memory + transfer.bytes && transfer.memory < begin + bytes)
      transfer.is_freed = true;
  }
}

void refer(const char* kind, long change) {
  const std::lock_guard lock(mutex);
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
cl_int failed_event(cl_command_queue queue, cl_event* event) {
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
bool is_odd(cl_mem buffer, const size_t* origin, const size_t* region, size_t pitch) {
  size_t size = 0;
  ORIGINAL(clGetMemObjectInfo)(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr);
  return refusing_odd_rectangles &&
         (origin[0] + region[0] > pitch || (origin[1] + region[1]) * pitch > size);
}

}  // namespace

#define QUERY(function, Object, What)                                              \
  cl_int CL_API_CALL function(Object o, What q, size_t n, void* p, size_t* size) { \
    return call(FUNCTION(function), o, q, n, p, size);                             \
  }
#define REFERENCES(kind, Type, retain, release)            \
  cl_int CL_API_CALL retain(Type object) {                 \
    const cl_int status = call(FUNCTION(retain), object);  \
    if (status == CL_SUCCESS) refer(kind, 1);              \
    return status;                                         \
  }                                                        \
  cl_int CL_API_CALL release(Type object) {                \
    const cl_int status = call(FUNCTION(release), object); \
    if (status == CL_SUCCESS) refer(kind, -1);             \
    return status;                                         \
  }

extern "C" {

REFERENCES("context", cl_context, clRetainContext, clReleaseContext)
REFERENCES("queue", cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue)
REFERENCES("memory", cl_mem, clRetainMemObject, clReleaseMemObject)
REFERENCES("program", cl_program, clRetainProgram, clReleaseProgram)
REFERENCES("kernel", cl_kernel, clRetainKernel, clReleaseKernel)
REFERENCES("event", cl_event, clRetainEvent, clReleaseEvent)
REFERENCES("device", cl_device_id, clRetainDevice, clReleaseDevice)

QUERY(clGetPlatformInfo, cl_platform_id, cl_platform_info)
QUERY(clGetContextInfo, cl_context, cl_context_info)
QUERY(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
QUERY(clGetMemObjectInfo, cl_mem, cl_mem_info)
QUERY(clGetProgramInfo, cl_program, cl_program_info)
QUERY(clGetEventProfilingInfo, cl_event, cl_profiling_info)

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id d, cl_device_info q, size_t n, void* p,
                                   size_t* size) {
  const cl_int status = call(FUNCTION(clGetDeviceInfo), d, q, n, p, size);
  if (q == CL_DEVICE_HOST_UNIFIED_MEMORY && separating_memory && p != nullptr)
    *static_cast<cl_bool*>(p) = CL_FALSE;
  return status;
}
cl_int CL_API_CALL clGetEventInfo(cl_event e, cl_event_info q, size_t n, void* p, size_t* size) {
  return lost() ? kFault : call(FUNCTION(clGetEventInfo), e, q, n, p, size);
}
cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id* p, cl_uint* size) {
  return call(FUNCTION(clGetPlatformIDs), n, p, size);
}
cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id o, cl_device_type t, cl_uint n, cl_device_id* p,
                                  cl_uint* size) {
  return call(FUNCTION(clGetDeviceIDs), o, t, n, p, size);
}
cl_int CL_API_CALL clGetProgramBuildInfo(cl_program o, cl_device_id d, cl_program_build_info q,
                                         size_t n, void* p, size_t* size) {
  return call(FUNCTION(clGetProgramBuildInfo), o, d, q, n, p, size);
}
cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel o, cl_device_id d,
                                            cl_kernel_work_group_info q, size_t n, void* p,
                                            size_t* size) {
  return call(FUNCTION(clGetKernelWorkGroupInfo), o, d, q, n, p, size);
}

using Notify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);
using Built = void(CL_CALLBACK*)(cl_program, void*);
using Destroyed = void(CL_CALLBACK*)(cl_mem, void*);

cl_context CL_API_CALL clCreateContext(const cl_context_properties* o, cl_uint n,
                                       const cl_device_id* d, Notify f, void* p, cl_int* status) {
  return create("context", FUNCTION(clCreateContext), status, o, n, d, f, p);
}
cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context c, cl_device_id d,
                                                  cl_command_queue_properties o, cl_int* status) {
  return create("queue", FUNCTION(clCreateCommandQueue), status, c, d, o);
}
cl_mem CL_API_CALL clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void* p, cl_int* status) {
  return create("memory", FUNCTION(clCreateBuffer), status, c, f, n, p);
}
cl_event CL_API_CALL clCreateUserEvent(cl_context c, cl_int* status) {
  return create("event", FUNCTION(clCreateUserEvent), status, c);
}
cl_int CL_API_CALL clSetUserEventStatus(cl_event e, cl_int status) {
  return call(FUNCTION(clSetUserEventStatus), e, status);
}
cl_mem CL_API_CALL clCreateImage(cl_context c, cl_mem_flags f, const cl_image_format* i,
                                 const cl_image_desc* d, void* p, cl_int* status) {
  return create("memory", FUNCTION(clCreateImage), status, c, f, i, d, p);
}
cl_program CL_API_CALL clCreateProgramWithSource(cl_context c, cl_uint n, const char** t,
                                                 const size_t* l, cl_int* status) {
  return create("program", FUNCTION(clCreateProgramWithSource), status, c, n, t, l);
}
cl_program CL_API_CALL clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id* d,
                                                 const size_t* l, const unsigned char** b,
                                                 cl_int* s, cl_int* status) {
  return create("program", FUNCTION(clCreateProgramWithBinary), status, c, n, d, l, b, s);
}
cl_kernel CL_API_CALL clCreateKernel(cl_program p, const char* n, cl_int* status) {
  return create("kernel", FUNCTION(clCreateKernel), status, p, n);
}
cl_int CL_API_CALL clBuildProgram(cl_program p, cl_uint n, const cl_device_id* d, const char* o,
                                  Built f, void* u) {
  return call(FUNCTION(clBuildProgram), p, n, d, o, f, u);
}
cl_int CL_API_CALL clSetKernelArg(cl_kernel k, cl_uint i, size_t n, const void* p) {
  return call(FUNCTION(clSetKernelArg), k, i, n, p);
}
cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem m, Destroyed f, void* u) {
  return call(FUNCTION(clSetMemObjectDestructorCallback), m, f, u);
}
cl_int CL_API_CALL clFlush(cl_command_queue q) { return call(FUNCTION(clFlush), q); }
cl_int CL_API_CALL clFinish(cl_command_queue q) { return waited_for(call(FUNCTION(clFinish), q)); }
cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event* e) {
  return waited_for(call(FUNCTION(clWaitForEvents), n, e));
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d,
                                          const size_t* o, const size_t* g, const size_t* l,
                                          cl_uint n, const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueNDRangeKernel), event, q, k, d, o, g, l, n, w);
}
cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                       void* p, cl_uint n, const cl_event* w, cl_event* event) {
  return transfer(FUNCTION(clEnqueueReadBuffer), event, b, p, s, true, q, m, b, o, s, p, n, w);
}
cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                        const void* p, cl_uint n, const cl_event* w,
                                        cl_event* event) {
  return transfer(FUNCTION(clEnqueueWriteBuffer), event, b, p, s, false, q, m, b, o, s, p, n, w);
}
cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool b,
                                           const size_t* bo, const size_t* ho, const size_t* r,
                                           size_t br, size_t bs, size_t hr, size_t hs, void* p,
                                           cl_uint n, const cl_event* w, cl_event* event) {
  if (is_odd(m, bo, r, br)) return CL_INVALID_VALUE;
  return transfer(FUNCTION(clEnqueueReadBufferRect), event, b, p, hr * r[1], true, q, m, b, bo, ho,
                  r, br, bs, hr, hs, p, n, w);
}
cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool b,
                                            const size_t* bo, const size_t* ho, const size_t* r,
                                            size_t br, size_t bs, size_t hr, size_t hs,
                                            const void* p, cl_uint n, const cl_event* w,
                                            cl_event* event) {
  if (is_odd(m, bo, r, br)) return CL_INVALID_VALUE;
  return transfer(FUNCTION(clEnqueueWriteBufferRect), event, b, p, hr * r[1], false, q, m, b, bo,
                  ho, r, br, bs, hr, hs, p, n, w);
}
void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
                                     size_t o, size_t s, cl_uint n, const cl_event* w,
                                     cl_event* event, cl_int* status) {
  const OpenClCall inside;
  if (fails("clEnqueueMapBuffer") || (b == CL_TRUE && waited_for(CL_SUCCESS) != CL_SUCCESS)) {
    *status = kFault;
    return nullptr;
  }
  const bool drop = counting && enqueued++ == fail_command_at;
  if (drop) failed = "clEnqueueMapBuffer";
  void* const mapped =
      ORIGINAL(clEnqueueMapBuffer)(q, m, b, f, o, s, n, w, drop ? nullptr : event, status);
  if (drop) *status = failed_event(q, event);
  if (*status == CL_SUCCESS && event != nullptr) refer("event", 1);
  return mapped;
}
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void* p, cl_uint n,
                                           const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueUnmapMemObject), event, q, m, p, n, w);
}
cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue q, cl_mem a, cl_mem b, size_t ao, size_t bo,
                                       size_t s, cl_uint n, const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueCopyBuffer), event, q, a, b, ao, bo, s, n, w);
}
cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue q, cl_mem a, cl_mem b, const size_t* ao,
                                           const size_t* bo, const size_t* r, size_t ar, size_t as,
                                           size_t br, size_t bs, cl_uint n, const cl_event* w,
                                           cl_event* event) {
  if (is_odd(a, ao, r, ar) || is_odd(b, bo, r, br)) return CL_INVALID_VALUE;
  return enqueue(FUNCTION(clEnqueueCopyBufferRect), event, q, a, b, ao, bo, r, ar, as, br, bs, n,
                 w);
}
cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* v, size_t vs,
                                       size_t o, size_t s, cl_uint n, const cl_event* w,
                                       cl_event* event) {
  return enqueue(FUNCTION(clEnqueueFillBuffer), event, q, m, v, vs, o, s, n, w);
}
cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel o, cl_device_id d, cl_kernel_sub_group_info q,
                                           size_t is, const void* i, size_t n, void* p,
                                           size_t* size) {
  return call(FUNCTION(clGetKernelSubGroupInfo), o, d, q, is, i, n, p, size);
}
cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event* w,
                                               cl_event* event) {
  return enqueue_after(FUNCTION(clEnqueueMarkerWithWaitList), event, q, n, w);
}
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event* w,
                                                cl_event* event) {
  return enqueue_after(FUNCTION(clEnqueueBarrierWithWaitList), event, q, n, w);
}

}  // extern "C"

namespace tessera::test {

namespace {

void count_and_fail(long call, long command) {
  count = enqueued = waited = 0;
  failed = nullptr;
  fail_at = call;
  fail_command_at = command;
  lost_from = kNever;
  counting = true;
}

}  // namespace

void fail_call(long number) { count_and_fail(number, -1); }
void fail_command(long number) { count_and_fail(-1, number); }

void lose_device(long number) {
  count_and_fail(-1, -1);
  lost_from = number;
  transfers.reserve(10000);  // frees nothing while frees are watched
  std::byte here{};
  stack = &here;
  watch_frees(note_freed);
}

std::string land() {
  watch_frees(nullptr);
  stack = nullptr;
  std::string freed;
  for (const Transfer& transfer : transfers) {
    if (transfer.is_freed) {
      freed +=
          std::to_string(transfer.bytes) + (transfer.writes ? " bytes written " : " bytes read ");
    } else if (transfer.writes) {
      std::memset(transfer.memory, 0x5a, transfer.bytes);
    }
  }
  transfers.clear();
  return freed;
}

void fail_none() { counting = false; }

void separate_memory(bool separate) { separating_memory = separate; }

void refuse_odd_rectangles(bool refuse) { refusing_odd_rectangles = refuse; }

long waits() { return waited; }
long calls() { return count; }
long commands() { return enqueued; }
std::string failed_call() { return failed != nullptr ? failed.load() : ""; }

std::string unreleased() {
  const std::lock_guard lock(mutex);
  std::string text;
  for (const auto& [kind, number] : references) {
    // Root devices have no references to count.
    if (number != 0 && kind != "device") text += kind + ": " + std::to_string(number) + " ";
  }
  return text;
}

}  // namespace tessera::test
