// OpenCL's functions that the library calls, defined here before the ICD loader's.
#include <utility>

#include "intercept.hpp"

using namespace tessera::test::intercept;
namespace transfers = tessera::test::transfers;

#define FUNCTION(name) at(Entry::name), next().name
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

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event e, cl_profiling_info q, size_t n, void* p,
                                           size_t* size) {
  const cl_int status = call(FUNCTION(clGetEventProfilingInfo), e, q, n, p, size);
  if (times_are_zero() && status == CL_SUCCESS && p != nullptr && n == sizeof(cl_ulong))
    *static_cast<cl_ulong*>(p) = 0;
  return status;
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id d, cl_device_info q, size_t n, void* p,
                                   size_t* size) {
  const cl_int status = call(FUNCTION(clGetDeviceInfo), d, q, n, p, size);
  if (q == CL_DEVICE_HOST_UNIFIED_MEMORY && separates_memory() && p != nullptr)
    *static_cast<cl_bool*>(p) = CL_FALSE;
  return status;
}
cl_int CL_API_CALL clGetEventInfo(cl_event e, cl_event_info q, size_t n, void* p, size_t* size) {
  if (lost(context_of(e))) return kFault;
  // How often a pending event is polled depends on timing: of its queries in a row, the first and
  // the one that ends the polling count.
  static thread_local cl_event polled = nullptr;
  if (q == CL_EVENT_COMMAND_EXECUTION_STATUS && p != nullptr && n == sizeof(cl_int)) {
    const tessera::test::OpenClCall inside;
    cl_int now = CL_COMPLETE;
    const cl_int status = next().clGetEventInfo(e, q, n, &now, size);
    if (status == CL_SUCCESS && now > CL_COMPLETE && std::exchange(polled, e) == e) {
      *static_cast<cl_int*>(p) = now;
      return status;
    }
  }
  const cl_int status = call(FUNCTION(clGetEventInfo), e, q, n, p, size);
  if (status == CL_SUCCESS && q == CL_EVENT_COMMAND_EXECUTION_STATUS && p != nullptr &&
      *static_cast<const cl_int*>(p) <= CL_COMPLETE)
    transfers::finished(e);
  return status;
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
cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel o, cl_device_id d, cl_kernel_sub_group_info q,
                                           size_t is, const void* i, size_t n, void* p,
                                           size_t* size) {
  return call(FUNCTION(clGetKernelSubGroupInfo), o, d, q, is, i, n, p, size);
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
  const cl_event event = create("event", FUNCTION(clCreateUserEvent), status, c);
  transfers::created(event);
  return event;
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
cl_int CL_API_CALL clFlush(cl_command_queue q) {
  const tessera::test::OpenClCall inside;
  const cl_int fault = begin(at(Entry::clFlush), q);
  return fault != CL_SUCCESS ? fault : next().clFlush(q);
}
cl_int CL_API_CALL clFinish(cl_command_queue q) {
  return waited(call(FUNCTION(clFinish), q), context_of(q), queue_ended, &q);
}
cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event* e) {
  const tessera::test::OpenClCall inside;
  const std::vector<cl_event> events(e, e + n);
  const auto ended = [](const void* all) {
    for (const cl_event event : *static_cast<const std::vector<cl_event>*>(all))
      transfers::finished(event);
  };
  const cl_int status = call(FUNCTION(clWaitForEvents), n, e);
  const bool is_hidden =
      status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && waits_are_silent();
  return waited(is_hidden ? CL_SUCCESS : status, context_of(events.front()), ended, &events);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d,
                                          const size_t* o, const size_t* g, const size_t* l,
                                          cl_uint n, const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueNDRangeKernel), {}, n, w, event, q, k, d, o, g, l);
}
cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                       void* p, cl_uint n, const cl_event* w, cl_event* event) {
  return transfer(FUNCTION(clEnqueueReadBuffer), b, {p, s, true}, n, w, event, q, m, b, o, s, p);
}
cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s,
                                        const void* p, cl_uint n, const cl_event* w,
                                        cl_event* event) {
  return transfer(FUNCTION(clEnqueueWriteBuffer), b, {p, s, false}, n, w, event, q, m, b, o, s, p);
}
cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool b,
                                           const size_t* bo, const size_t* ho, const size_t* r,
                                           size_t br, size_t bs, size_t hr, size_t hs, void* p,
                                           cl_uint n, const cl_event* w, cl_event* event) {
  if (is_odd(m, bo, r, br)) return CL_INVALID_VALUE;
  return transfer(FUNCTION(clEnqueueReadBufferRect), b, {p, hr * r[1], true}, n, w, event, q, m, b,
                  bo, ho, r, br, bs, hr, hs, p);
}
cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool b,
                                            const size_t* bo, const size_t* ho, const size_t* r,
                                            size_t br, size_t bs, size_t hr, size_t hs,
                                            const void* p, cl_uint n, const cl_event* w,
                                            cl_event* event) {
  if (is_odd(m, bo, r, br)) return CL_INVALID_VALUE;
  return transfer(FUNCTION(clEnqueueWriteBufferRect), b, {p, hr * r[1], false}, n, w, event, q, m,
                  b, bo, ho, r, br, bs, hr, hs, p);
}
void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
                                     size_t o, size_t s, cl_uint n, const cl_event* w,
                                     cl_event* event, cl_int* status) {
  void* mapped = nullptr;
  const auto map = [&](cl_command_queue queue, cl_uint number, const cl_event* events,
                       cl_event* end) {
    cl_int code = CL_SUCCESS;
    mapped = next().clEnqueueMapBuffer(queue, m, b, f, o, s, number, events, end, &code);
    return code;
  };
  cl_int code = enqueue(at(Entry::clEnqueueMapBuffer), map, {}, n, w, event, q);
  // A mapping that fails on the device still has an address.
  if (code == CL_SUCCESS && mapped == nullptr) code = map(q, n, w, nullptr);
  if (b == CL_TRUE) code = waited(code, context_of(q), queue_ended, &q);
  if (status != nullptr) *status = code;
  return code == CL_SUCCESS ? mapped : nullptr;
}
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void* p, cl_uint n,
                                           const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueUnmapMemObject), {}, n, w, event, q, m, p);
}
cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue q, cl_mem a, cl_mem b, size_t ao, size_t bo,
                                       size_t s, cl_uint n, const cl_event* w, cl_event* event) {
  return enqueue(FUNCTION(clEnqueueCopyBuffer), {}, n, w, event, q, a, b, ao, bo, s);
}
cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue q, cl_mem a, cl_mem b, const size_t* ao,
                                           const size_t* bo, const size_t* r, size_t ar, size_t as,
                                           size_t br, size_t bs, cl_uint n, const cl_event* w,
                                           cl_event* event) {
  if (is_odd(a, ao, r, ar) || is_odd(b, bo, r, br)) return CL_INVALID_VALUE;
  return enqueue(FUNCTION(clEnqueueCopyBufferRect), {}, n, w, event, q, a, b, ao, bo, r, ar, as, br,
                 bs);
}
cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* v, size_t vs,
                                       size_t o, size_t s, cl_uint n, const cl_event* w,
                                       cl_event* event) {
  return enqueue(FUNCTION(clEnqueueFillBuffer), {}, n, w, event, q, m, v, vs, o, s);
}
cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n, const cl_event* w,
                                               cl_event* event) {
  const tessera::test::OpenClCall inside;
  const std::vector<cl_event> events = not_failed(n, w);
  return enqueue(FUNCTION(clEnqueueMarkerWithWaitList), {}, static_cast<cl_uint>(events.size()),
                 events.empty() ? nullptr : events.data(), event, q);
}
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n, const cl_event* w,
                                                cl_event* event) {
  const tessera::test::OpenClCall inside;
  const std::vector<cl_event> events = not_failed(n, w);
  return enqueue(FUNCTION(clEnqueueBarrierWithWaitList), {}, static_cast<cl_uint>(events.size()),
                 events.empty() ? nullptr : events.data(), event, q);
}

}  // extern "C"
