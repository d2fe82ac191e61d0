// Overhead: what a multiply costs the host beside the OpenCL calls that it makes.
#include <benchmark/benchmark.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "parts.hpp"

namespace {

thread_local long allocated = 0;

}  // namespace

// NOLINTBEGIN: the replaceable functions of the language, here for the whole program
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocated++;
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCalls = 200;

struct Shape {
  cl_ulong m, n, k;
};
struct Layout {
  cl_ulong offset, row, column, batch;
};

// Has the parameters of the library's kernels (cl/common/product.cl) and does next to nothing.
constexpr const char* kSource = R"(
typedef struct { ulong m, n, k; } Shape;
typedef struct { ulong offset, row, column, batch; } Layout;
kernel void bare(const Shape shape, const float alpha, const float beta, global const float* a, const Layout a_at,
                 global const float* b, const Layout b_at, global float* c, const Layout c_at) {
  if (get_global_id(0) == 0 && get_global_id(1) == 0) c[0] = alpha * a[0] * b[0];
})";

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(status));
}

/// The calls of an enqueued product, by hand: arguments, launch with an event, flush.
class Bare {
 public:
  Bare(const Engine& engine, const Matrix<float>& a, const Matrix<float>& c)
      : queue_(interop::queue(engine)), a_(interop::buffer(a)), c_(interop::buffer(c)) {
    cl_int status = CL_SUCCESS;
    const char* source = kSource;
    const cl_device_id device = interop::device(engine);
    program_ = clCreateProgramWithSource(interop::context(engine), 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program_, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    kernel_ = clCreateKernel(program_, "bare", &status);
    check(status, "clCreateKernel");
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;
  ~Bare() {
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
  }

  void operator()() const {
    const Shape shape{1, 1, 1};
    const Layout layout{0, 1, 1, 0};
    const float alpha = 1, beta = 0;
    argument(0, shape), argument(1, alpha), argument(2, beta), argument(3, a_), argument(4, layout);
    argument(5, a_), argument(6, layout), argument(7, c_), argument(8, layout);
    constexpr std::array<std::size_t, 3> kGroup = {32, 8, 1};
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, kGroup.data(), kGroup.data(), 0,
                                 nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clFlush(queue_), "clFlush");
    clReleaseEvent(event);
  }

 private:
  template <class T>
  void argument(cl_uint index, const T& value) const {
    check(clSetKernelArg(kernel_, index, sizeof value, &value), "clSetKernelArg");
  }

  cl_command_queue queue_;
  cl_mem a_, c_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

/// Microseconds of the host for a call, while the device runs earlier commands.
template <class Call>
double microseconds(const Engine& engine, Call&& call) {
  const auto start = Clock::now();
  for (int i = 0; i < kCalls; i++) call();
  const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
  engine.finish();
  return taken.count() / kCalls;
}

/// Calls of `new` by this thread in a call, including the ones by an OpenCL runtime in C++.
template <class Call>
double allocations(const Engine& engine, Call&& call) {
  const long before = allocated;
  for (int i = 0; i < kCalls; i++) call();
  const long after = allocated;
  engine.finish();
  return static_cast<double>(after - before) / kCalls;
}

enum class By { multiply_into, plan };

/// Both in turn: the machine's speed changes.
void overhead(benchmark::State& state, By by) {
  const Engine engine;
  const Matrix<float> a(engine, {{2}});
  Matrix<float> c(engine, {{0}});
  const Bare bare(engine, a, c);
  const MultiplyOptions options{.kernel = {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}}};
  const Plan plan = plan_multiply(c, a, a, options);
  const auto library = [&] {
    if (by == By::plan) {
      plan.run(c, a, a);
    } else {
      multiply_into(c, a, a, options);
    }
  };
  bare();
  library();
  engine.finish();
  std::vector<double> bare_times, library_times, differences;
  for (auto _ : state) {
    bare_times.push_back(microseconds(engine, bare));
    library_times.push_back(microseconds(engine, library));
    differences.push_back(library_times.back() - bare_times.back());
    state.SetIterationTime(1e-6 * library_times.back());
  }
  state.SetLabel(engine.device().name);
  state.counters["bare_us"] = median(bare_times);
  state.counters["library_us"] = median(library_times);
  state.counters["added_us"] = median(differences);
  state.counters["added_allocations"] = allocations(engine, library) - allocations(engine, bare);
}
BENCHMARK_CAPTURE(overhead, later_call, By::multiply_into)
    ->Name("Overhead/later_call")
    ->UseManualTime()
    ->Iterations(51)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(overhead, plan_run, By::plan)
    ->Name("Overhead/plan_run")
    ->UseManualTime()
    ->Iterations(51)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tessera::bench
