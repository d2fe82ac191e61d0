// Making queues, allocating memory.
#include "runtime/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::runtime {
namespace {

cl::CommandQueue new_queue(const Context& context) {
  const cl_command_queue_properties properties =
      context.profiling() ? CL_QUEUE_PROFILING_ENABLE : 0;
  return cl::CommandQueue(context.handle(), context.device().handle, properties);
}

}  // namespace

Stream::Stream(std::shared_ptr<Context> context) : Stream(context, new_queue(*context)) {}

Stream::Stream(std::shared_ptr<Context> context, cl::CommandQueue queue)
    : context_(std::move(context)), queue_(std::move(queue)), scratch_(*context_, queue_) {}

std::shared_ptr<Memory> Stream::allocate(std::uint64_t bytes, const std::string& what) {
  // A matrix without elements has memory too, so that every kernel has something to be given.
  bytes = std::max<std::uint64_t>(bytes, 64);
  return translated(
      [&] {
        if (!context_->ledger().fits(bytes)) {
          const std::lock_guard lock(mutex_);
          scratch_.make_room();
        }
        auto loan = context_->ledger().lend(bytes, what);
        cl::Buffer buffer(context_->handle(), CL_MEM_READ_WRITE, bytes);
        tie(buffer(), std::move(loan));
        return std::make_shared<Memory>(std::move(buffer));
      },
      [&] { return fmt::format("allocating {} bytes for {}", bytes, what); });
}

void Stream::finish() const {
  translated([&] { queue_.finish(); }, [] { return std::string("waiting for the device"); });
}

}  // namespace tessera::inline v0::runtime
