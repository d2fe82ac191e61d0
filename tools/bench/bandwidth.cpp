#define CL_TARGET_OPENCL_VERSION 120
#include "bandwidth.hpp"

#include <CL/cl.h>
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <tessera/interop.hpp>
#include <thread>

namespace tessera::bench {
namespace {

constexpr std::size_t kReads = 8, kCopies = 4;
constexpr std::size_t kCopied = std::size_t{1} << 29;  // elements: beyond every cache

}  // namespace

Bandwidth::Bandwidth(const Engine& engine, const std::vector<float>& elements)
    : elements_(elements),
      on_host_(engine.device().type == DeviceType::cpu),
      from_(engine, 1, on_host_ ? 1 : kCopied),
      to_(engine, 1, on_host_ ? 1 : kCopied) {}

double Bandwidth::seconds_a_byte() const {
  const double bytes = sizeof(float) * static_cast<double>(elements_.size());
  if (on_host_) return seconds([&] { read_on_host(); }) / (kReads * bytes);
  return seconds([&] { copy_on_device(); }) / (2.0 * kCopies * sizeof(float) * kCopied);
}

void Bandwidth::read_on_host() const {
  using Numbers __attribute__((vector_size(16))) = float;
  constexpr std::size_t kStreams = 4, kWidth = sizeof(Numbers) / sizeof(float);
  const std::size_t threads = std::thread::hardware_concurrency();
  const std::size_t stream = elements_.size() / (threads * kStreams) / (2 * kWidth) * (2 * kWidth);
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; t++) {
    workers.emplace_back([this, stream, t] {
      std::array<Numbers, 2 * kStreams> sums = {};
      const auto add = [&](Numbers& sum, const float* from) {
        Numbers more;
        std::memcpy(&more, from, sizeof more);
        sum += more;
      };
      const float* first = elements_.data() + t * kStreams * stream;
      for (std::size_t time = 0; time < kReads; time++) {
        for (std::size_t i = 0; i < stream; i += 2 * kWidth) {
          for (std::size_t s = 0; s < kStreams; s++) {
            add(sums[2 * s], first + s * stream + i);
            add(sums[2 * s + 1], first + s * stream + i + kWidth);
          }
        }
      }
      benchmark::DoNotOptimize(sums);
    });
  }
}

void Bandwidth::copy_on_device() const {
  const auto queue = interop::queue(from_.engine());
  for (std::size_t i = 0; i < kCopies; i++) {
    clEnqueueCopyBuffer(queue, interop::buffer(from_), interop::buffer(to_), 0, 0,
                        sizeof(float) * kCopied, 0, nullptr, nullptr);
  }
  clFinish(queue);
}

}  // namespace tessera::bench
