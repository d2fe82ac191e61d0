// Two layers of a network, with a kernel of the application's own between two products: no element
// comes to the host, and nothing waits.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <stdexcept>
#include <tessera/tessera.hpp>

namespace {

constexpr const char* kSource =
    "kernel void positive_part(global float* x) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  x[i] = fmax(x[i], 0.0f);\n"
    "}\n";

void require(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw std::runtime_error(call);
}

/// The kernel, built for the engine's device.
cl_kernel build(const tessera::Engine& engine) {
  cl_int status = CL_SUCCESS;
  const char* source = kSource;
  cl_program program =
      clCreateProgramWithSource(tessera::interop::context(engine), 1, &source, nullptr, &status);
  require(status, "clCreateProgramWithSource");
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "positive_part", &status);
  require(status, "clCreateKernel");
  clReleaseProgram(program);  // the kernel keeps it
  return kernel;
}

/// Enqueues x = max(x, 0) on the engine's own queue, between earlier and later commands of the
/// library.
void positive_part(const tessera::Engine& engine, cl_kernel kernel,
                   const tessera::Matrix<float>& x) {
  cl_mem buffer = tessera::interop::buffer(x);
  const size_t elements = x.rows() * x.columns();
  require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  require(clEnqueueNDRangeKernel(tessera::interop::queue(engine), kernel, 1, nullptr, &elements,
                                 nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
}

}  // namespace

int main() try {
  const tessera::Engine engine;
  const tessera::Matrix<float> input(engine, {{1, -2}, {3, 1}}), first(engine, {{1, 2}, {-1, 1}}),
      second(engine, {{1}, {10}});
  const tessera::Matrix<float> bias(engine, {{-3, 1}});
  cl_kernel kernel = build(engine);

  tessera::Matrix<float> hidden = input * first;  // {{3, 0}, {2, 7}}
  add_into(hidden, hidden, bias);                 // {{0, 1}, {-1, 8}}
  positive_part(engine, kernel, hidden);          // {{0, 1}, {0, 8}}
  const tessera::Matrix<float> output = hidden * second;
  for (const float element : output.to_host()) std::printf("%g ", element);  // 10 80
  std::printf("\n");
  clReleaseKernel(kernel);
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
