// Multiplies a buffer of an application's own context with itself, on the application's queue.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <iostream>
#include <tessera/interop.hpp>
#include <tessera/multiply.hpp>
#include <vector>

int main() {
  // The application already has a context, a queue and a buffer.
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return 1;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return 1;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  std::vector<float> elements = {1, 2, 3, 4};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 16,
                                 elements.data(), nullptr);

  {
    const tessera::Engine engine = tessera::interop::adopt(queue);
    const auto a = tessera::interop::adopt<float>(engine, buffer, 2, 2);
    for (const float element : (a * a).to_host()) std::cout << element << ' ';  // 7 10 15 22
    std::cout << '\n';
  }

  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
