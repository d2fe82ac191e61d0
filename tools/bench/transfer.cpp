// Transfer: uploads and downloads beside the driver's own, in turn.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <tessera/host_matrix.hpp>
#include <tessera/interop.hpp>
#include <vector>

#include "bandwidth.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

void check(cl_int status) {
  if (status != CL_SUCCESS)
    throw Error(ErrorCode::opencl_failed, "the driver's own transfer failed");
}

/// Our call and the driver's, by the host's clock.
void in_turn(benchmark::State& state, std::size_t bytes, const std::function<void()>& ours,
             const std::function<void()>& driver) {
  for (int i = 0; i < 2; i++) {
    ours();
    driver();
  }
  std::vector<double> own, other;
  for (auto _ : state) {
    own.push_back(seconds(ours));
    other.push_back(seconds(driver));
    state.SetIterationTime(own.back());
  }
  state.counters["GB/s"] = 1e-9 * static_cast<double>(bytes) / median(own);
  state.counters["driver_GB/s"] = 1e-9 * static_cast<double>(bytes) / median(other);
  state.counters["time_to_driver"] = median(own) / median(other);
}

/// The driver's own transfer of a vector, up to a matrix or down from it.
std::function<void()> by_driver(Matrix<float>& a, std::vector<float>& elements, bool up) {
  const cl_mem buffer = interop::buffer(a);
  const cl_command_queue queue = interop::queue(a.engine());
  const std::size_t bytes = elements.size() * sizeof(float);
  return [buffer, queue, bytes, &elements, up] {
    check(up ? clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, elements.data(), 0, nullptr,
                                    nullptr)
             : clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, elements.data(), 0, nullptr,
                                   nullptr));
  };
}

/// From and to a vector whose pages exist, or, without an intermediate copy, a HostMatrix.
void transfers(benchmark::State& state, bool pinned) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const bool up = state.range(1) != 0;
  const Engine engine;
  std::vector<float> elements(bytes / sizeof(float), 1);
  HostMatrix<float> in_place(engine, 1, pinned ? elements.size() : 0);
  std::ranges::fill(in_place.elements(), 1.0f);
  Matrix<float> a(engine, 1, elements.size(), elements);
  const auto ours = [&] {
    if (!pinned) return up ? a.upload(elements) : a.to_host(elements);
    (up ? a.upload_async(in_place.elements()) : a.to_host_async(in_place.elements())).wait();
  };
  in_turn(state, bytes, ours, by_driver(a, elements, up));
  state.SetLabel(engine.device().name);
}

void both_ways(benchmark::internal::Benchmark* transfer) {
  transfer->ArgNames({"bytes", "up"})
      ->ArgsProduct({{4 << 10, 1 << 20, 64 << 20, 1 << 30}, {0, 1}})
      ->UseManualTime()
      ->Iterations(11)
      ->Unit(benchmark::kMicrosecond);
}
BENCHMARK_CAPTURE(transfers, ordinary, false)->Name("Transfer")->Apply(both_ways);
BENCHMARK_CAPTURE(transfers, pinned, true)->Name("PinnedTransfer")->Apply(both_ways);

}  // namespace
}  // namespace tessera::bench
