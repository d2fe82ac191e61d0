// Peak: the speed of arithmetic and of memory, measured by the kernels in cl/peak/.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "operands/element.hpp"
#include "runtime/submission.hpp"
#include "tessera/tune.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;
using tuning::Policy;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of the fastest of some runs, by the host's clock around a finished queue:
/// `run(submission)` enqueues one.
template <class Run>
double fastest(runtime::Stream& stream, const Policy& policy, Run&& run) {
  double minimum = 1e300;
  std::size_t times = 1;
  // Warm-up: memory is committed on first touch, and some runtimes compile at the first launch.
  {
    runtime::Submission submission(stream, {});
    run(submission);
    submission.finish();
  }
  stream.finish();
  for (const auto start = Clock::now(); since(start) < policy.peak_time || minimum > 1e299;) {
    const auto sample = Clock::now();
    {
      runtime::Submission submission(stream, {});
      for (std::size_t i = 0; i < times; i++) run(submission);
      submission.finish();
    }
    stream.finish();
    const double taken = since(sample);
    if (taken < policy.peak_sample && times < 1024) {
      times *= 2;
    } else {
      minimum = std::min(minimum, taken / static_cast<double>(times));
    }
  }
  return minimum;
}

runtime::Value number_of(ElementType type, double value) {
  if (type == ElementType::float64) return runtime::value_of(value);
  if (type == ElementType::int32 || type == ElementType::int8)
    return runtime::value_of(static_cast<std::uint32_t>(3));
  return runtime::value_of(static_cast<float>(value));
}

double measure_flops(runtime::Stream& stream, ElementType type, const Policy& policy) {
  const DeviceInfo& device = stream.context().device().info;
  const bool cpu = device.type == DeviceType::cpu;
  const std::size_t size = element_size(ProductTypes(type).sum);
  const std::size_t vector =
      cpu ? std::clamp<std::size_t>(std::size_t{4} * device.simd_width / size, 2, 16) : 1;
  const std::size_t chains = cpu ? 12 : 8, rounds = cpu ? 4096 : 512;
  const auto program = stream.context().programs().get(
      "peak/multiply_add.cl",
      fmt::format("{} -D VECTOR={} -D CHAINS={}", operands::element_option(type), vector, chains));
  runtime::Kernel& kernel = program->kernel("peak_multiply_add");
  const runtime::Grid grid{{cpu ? device.compute_units : 64UL * device.compute_units, 1},
                           {cpu ? 1UL : std::min<std::size_t>(256, kernel.max_work_group), 1}};
  const std::size_t items = grid.groups[0] * grid.group[0];
  const auto sums = stream.allocate(items * size, "a measurement of the peak");
  const double seconds = fastest(stream, policy, [&](runtime::Submission& submission) {
    submission.launch(kernel, grid, static_cast<cl_uint>(rounds), number_of(type, 0.999),
                      number_of(type, 0.001), sums->buffer());
  });
  return 2.0 * static_cast<double>(items * vector * chains * rounds * 8) / seconds;
}

/// Bytes a second, of a copy or of reading alone, whichever is faster: a CPU that copies also reads
/// the lines that it writes.
double measure_bytes(runtime::Stream& stream, const Policy& policy) {
  constexpr std::size_t kItem = 16, kEach = 16;
  const DeviceInfo& device = stream.context().device().info;
  const auto program = [&](const char* file) {
    return stream.context().programs().get(file, fmt::format("-D EACH={}", kEach));
  };
  const auto copy_program = program("peak/copy.cl"), read_program = program("peak/read.cl");
  runtime::Kernel &copy = copy_program->kernel("peak_copy"),
                  &read = read_program->kernel("peak_read");
  const std::size_t group = std::min({std::size_t{64}, copy.max_work_group, read.max_work_group}),
                    bytes_of_group = kItem * group * kEach;
  // Larger than any cache, yet no burden on small devices.
  const std::uint64_t maximum = std::min<std::uint64_t>(
      {std::uint64_t{1} << 29, device.max_allocation / 4, device.global_memory / 16});
  const std::size_t groups = maximum / bytes_of_group;
  const auto one = stream.allocate(groups * bytes_of_group, "a measurement of memory"),
             other = stream.allocate(groups * bytes_of_group, "a measurement of memory");
  const auto seconds = [&](runtime::Kernel& measured, runtime::Memory& from, runtime::Memory& to) {
    return fastest(stream, policy, [&](runtime::Submission& submission) {
      submission.launch(measured, {{groups, 1}, {group, 1}}, from.buffer(), to.buffer());
    });
  };
  {  // Memory that was never written is one page of zeros, which a cache holds.
    runtime::Submission submission(stream, {});
    submission.launch(copy, {{groups, 1}, {group, 1}}, other->buffer(), one->buffer());
    submission.finish();
  }
  const auto size = static_cast<double>(groups * bytes_of_group);
  return std::max(2 * size / seconds(copy, *one, *other), size / seconds(read, *one, *other));
}

}  // namespace

Peak measure_peak(const Engine& engine, ElementType type) {
  type = operands::part_type(type);  // flops are real operations
  runtime::Stream& stream = runtime::stream_of(engine);
  const Policy& policy = tuning::kPolicy;
  if (type == ElementType::float64 && !engine.device().has_double)
    return {0, runtime::with_opencl_errors([&] { return measure_bytes(stream, policy); })};
  return runtime::with_opencl_errors([&] {
    const double flops = measure_flops(stream, type, policy);
    return Peak{.flops = flops, .bytes = measure_bytes(stream, policy)};
  });
}

}  // namespace tessera::inline v0
