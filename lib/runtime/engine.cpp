// Engine and Stream: the public handles of a context and its queues.
#include "tessera/engine.hpp"

#include "tessera/detail/access.hpp"

#include <memory>
#include <utility>

#include "runtime/context.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"
#include "runtime/standard_arithmetic.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0 {
namespace {

std::shared_ptr<runtime::Context> open(const EngineOptions& options) {
  if (runtime::flushes_subnormals()) {
    runtime::warn(
        "this thread takes subnormal numbers as 0, as after a library that was linked with "
        "-ffast-math is loaded; its own results and a CPU device's may lack them");
  }
  const runtime::StandardArithmetic arithmetic;  // which a runtime's threads inherit
  return runtime::with_opencl_errors(
      [&] {
        auto device = runtime::select_device(
            options.device.empty() ? runtime::environment("TESSERA_DEVICE") : options.device);
        cl::Context handle(device.handle);
        return std::make_shared<runtime::Context>(
            std::move(device), std::move(handle), options.profiling,
            options.profile.empty() ? runtime::environment("TESSERA_PROFILE") : options.profile);
      },
      [] { return std::string("opening a device"); });
}

template <class Make>
std::shared_ptr<runtime::Stream> making_a_queue(Make&& make) {
  return runtime::with_opencl_errors(make, [] { return std::string("making a queue"); });
}

}  // namespace

void Stream::finish() const {
  runtime::check_process();
  state_->finish();
}

void Stream::wait_for(const std::vector<Event>& events) const {
  runtime::check_process();
  runtime::Submission submission(*state_, {}, events);
  submission.finish();
}

Engine::Engine() : Engine(EngineOptions()) {}
Engine::Engine(std::string_view selector)
    : Engine(EngineOptions{.device = std::string(selector)}) {}
Engine::Engine(const EngineOptions& options) : Engine(open(options)) {}
Engine::Engine(const Stream& stream)
    : Engine(runtime::stream_of(stream).context().shared_from_this()) {}
Engine::Engine(const std::shared_ptr<runtime::Context>& context)
    : stream_(detail::Access::make<Stream>(
          making_a_queue([&] { return runtime::own_stream(context); }))) {}

Engine::Engine(std::shared_ptr<runtime::Stream> stream)
    : stream_(detail::Access::make<Stream>(std::move(stream))) {}

const DeviceInfo& Engine::device() const {
  return runtime::stream_of(stream_).context().device().info;
}

Stream Engine::new_stream() const {
  return detail::Access::make<Stream>(making_a_queue([&] {
    return runtime::open_stream(runtime::stream_of(stream_).context().shared_from_this());
  }));
}

void Engine::finish() const { runtime::stream_of(stream_).context().finish(); }

bool Engine::lost() const {
  runtime::check_process();
  static constexpr cl_int kSent = 0x7e55e4a;
  auto received = std::make_unique<cl_int>();
  try {
    const auto& context = runtime::stream_of(stream_).context();
    cl::CommandQueue queue(context.handle(), context.device().handle);
    cl::Buffer buffer(context.handle(), CL_MEM_READ_WRITE, sizeof(cl_int));
    queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, sizeof kSent, &kSent);
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof *received, received.get());
    return *received != kSent;
  } catch (const cl::Error&) {
    static_cast<void>(received.release());  // the device may still write it
    return true;
  }
}

MemoryUse Engine::memory() const { return runtime::stream_of(stream_).context().budget().use(); }

void Engine::release_scratch() const {
  runtime::stream_of(stream_).context().scratch().free_idle();
}

}  // namespace tessera::inline v0
