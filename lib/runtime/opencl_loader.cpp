// OpenCL's functions, forwarded to the loader that is opened when the first of them is called.
// Compiled with TESSERA_LOAD_OPENCL only. A function that is missing here is an undefined symbol of
// the library, and one with other parameters than in CL/cl.h does not compile.
#include "runtime/opencl_loader.hpp"
// CLHPP, included above, chooses the version.
#include <CL/cl_icd.h>

#include <cstddef>
#include <tuple>

#include "runtime/shared_library.hpp"

namespace {

constexpr cl_int kNoPlatform = -1001;  // as a loader without drivers returns

void* loader() {
  static void* const handle = tessera::runtime::open_opencl_loader();
  return handle;
}

template <class Function>
Function loaded(const char* name) {
  return loader() == nullptr
             ? nullptr
             : reinterpret_cast<Function>(tessera::runtime::symbol_of(loader(), name));
}

/// The functions of an object's driver. The object begins with a pointer to them: cl_khr_icd.
const cl_icd_dispatch& driver_of(const void* object) {
  return **static_cast<const cl_icd_dispatch* const*>(object);
}

template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R(CL_API_CALL*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
};
template <std::size_t Index, class Function>
using Argument = std::tuple_element_t<Index, typename Signature<Function>::Arguments>;

}  // namespace

namespace tessera::inline v0::runtime {

bool has_opencl_loader() { return loader() != nullptr; }

}  // namespace tessera::inline v0::runtime

cl_int CL_API_CALL clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  static const auto function = loaded<cl_api_clGetPlatformIDs>("clGetPlatformIDs");
  if (function != nullptr) return function(entries, platforms, count);
  if (count != nullptr) *count = 0;
  return kNoPlatform;
}

// clang-format off
#define PARAMETERS_1(f) Argument<0, f> a0
#define PARAMETERS_2(f) PARAMETERS_1(f), Argument<1, f> a1
#define PARAMETERS_3(f) PARAMETERS_2(f), Argument<2, f> a2
#define PARAMETERS_4(f) PARAMETERS_3(f), Argument<3, f> a3
#define PARAMETERS_5(f) PARAMETERS_4(f), Argument<4, f> a4
#define PARAMETERS_6(f) PARAMETERS_5(f), Argument<5, f> a5
#define PARAMETERS_7(f) PARAMETERS_6(f), Argument<6, f> a6
#define PARAMETERS_8(f) PARAMETERS_7(f), Argument<7, f> a7
#define PARAMETERS_9(f) PARAMETERS_8(f), Argument<8, f> a8
#define PARAMETERS_10(f) PARAMETERS_9(f), Argument<9, f> a9
#define PARAMETERS_11(f) PARAMETERS_10(f), Argument<10, f> a10
#define PARAMETERS_12(f) PARAMETERS_11(f), Argument<11, f> a11
#define PARAMETERS_13(f) PARAMETERS_12(f), Argument<12, f> a12
#define PARAMETERS_14(f) PARAMETERS_13(f), Argument<13, f> a13
#define ARGUMENTS_1 a0
#define ARGUMENTS_2 ARGUMENTS_1, a1
#define ARGUMENTS_3 ARGUMENTS_2, a2
#define ARGUMENTS_4 ARGUMENTS_3, a3
#define ARGUMENTS_5 ARGUMENTS_4, a4
#define ARGUMENTS_6 ARGUMENTS_5, a5
#define ARGUMENTS_7 ARGUMENTS_6, a6
#define ARGUMENTS_8 ARGUMENTS_7, a7
#define ARGUMENTS_9 ARGUMENTS_8, a8
#define ARGUMENTS_10 ARGUMENTS_9, a9
#define ARGUMENTS_11 ARGUMENTS_10, a10
#define ARGUMENTS_12 ARGUMENTS_11, a11
#define ARGUMENTS_13 ARGUMENTS_12, a12
#define ARGUMENTS_14 ARGUMENTS_13, a13

/// Defines a function with a number of parameters. Without a loader, the driver of `object` is
/// called directly.
#define FORWARD_FOR(object, arity, name)                                                        \
  Signature<cl_api_##name>::Result CL_API_CALL name(PARAMETERS_##arity(cl_api_##name)) {        \
    static const auto function = loaded<cl_api_##name>(#name);                                  \
    return (function != nullptr ? function : driver_of(object).name)(ARGUMENTS_##arity);        \
  }
#define FORWARD(arity, name) FORWARD_FOR(a0, arity, name)

FORWARD(6, clBuildProgram)
FORWARD(5, clCreateBuffer)
FORWARD(4, clCreateCommandQueue)
FORWARD_FOR(a2[0], 6, clCreateContext)
FORWARD(6, clCreateImage)
FORWARD(3, clCreateKernel)
FORWARD(7, clCreateProgramWithBinary)
FORWARD(5, clCreateProgramWithSource)
FORWARD(2, clCreateUserEvent)
FORWARD(4, clEnqueueBarrierWithWaitList)
FORWARD(9, clEnqueueCopyBuffer)
FORWARD(13, clEnqueueCopyBufferRect)
FORWARD(9, clEnqueueFillBuffer)
FORWARD(10, clEnqueueMapBuffer)
FORWARD(4, clEnqueueMarkerWithWaitList)
FORWARD(9, clEnqueueNDRangeKernel)
FORWARD(9, clEnqueueReadBuffer)
FORWARD(14, clEnqueueReadBufferRect)
FORWARD(6, clEnqueueUnmapMemObject)
FORWARD(9, clEnqueueWriteBuffer)
FORWARD(14, clEnqueueWriteBufferRect)
FORWARD(1, clFinish)
FORWARD(1, clFlush)
FORWARD(5, clGetCommandQueueInfo)
FORWARD(5, clGetContextInfo)
FORWARD(5, clGetDeviceIDs)
FORWARD(5, clGetDeviceInfo)
FORWARD(5, clGetEventInfo)
FORWARD(5, clGetEventProfilingInfo)
FORWARD(6, clGetKernelWorkGroupInfo)
FORWARD(5, clGetMemObjectInfo)
FORWARD(5, clGetPlatformInfo)
FORWARD(6, clGetProgramBuildInfo)
FORWARD(5, clGetProgramInfo)
FORWARD(1, clReleaseCommandQueue)
FORWARD(1, clReleaseContext)
FORWARD(1, clReleaseDevice)
FORWARD(1, clReleaseEvent)
FORWARD(1, clReleaseKernel)
FORWARD(1, clReleaseMemObject)
FORWARD(1, clReleaseProgram)
FORWARD(1, clRetainCommandQueue)
FORWARD(1, clRetainContext)
FORWARD(1, clRetainDevice)
FORWARD(1, clRetainEvent)
FORWARD(1, clRetainMemObject)
FORWARD(4, clSetKernelArg)
FORWARD(3, clSetMemObjectDestructorCallback)
FORWARD(2, clSetUserEventStatus)
FORWARD_FOR(a1[0], 2, clWaitForEvents)

// A loader of OpenCL 1.2, such as Wine's, lacks this function, and its objects have no table of a
// driver's functions.
cl_int CL_API_CALL clGetKernelSubGroupInfo(PARAMETERS_8(cl_api_clGetKernelSubGroupInfo)) {
  static const auto function = loaded<cl_api_clGetKernelSubGroupInfo>("clGetKernelSubGroupInfo");
  if (function != nullptr) return function(ARGUMENTS_8);
  return loader() != nullptr ? CL_INVALID_OPERATION
                             : driver_of(a0).clGetKernelSubGroupInfo(ARGUMENTS_8);
}
