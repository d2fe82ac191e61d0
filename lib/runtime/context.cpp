// Context: waiting for all queues, reporting their failures, and uses of adopted buffers.
#include "runtime/context.hpp"

#include <exception>
#include <utility>
#include <vector>

#include "runtime/process.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Returns whether only the context and the caller hold the queue: no stream reports its failures.
bool has_no_stream(const std::shared_ptr<Queue>& queue) { return queue.use_count() == 2; }

}  // namespace

Context::Context(Device device, cl::Context handle, bool profiling, std::string profile)
    : device_(std::move(device)),
      handle_(std::move(handle)),
      profiling_(profiling),
      profile_(std::move(profile)),
      budget_(std::make_shared<MemoryBudget>(device_.info)),
      scratch_(handle_, budget_),
      programs_(handle_, device_) {}

std::shared_ptr<Queue> Context::add_queue(cl::CommandQueue handle) {
  auto queue = std::make_shared<Queue>(std::move(handle));
  const std::lock_guard lock(mutex_);
  forget_idle_queues();
  queues_.push_back(queue);
  return queue;
}

void Context::forget_idle_queues() {
  std::erase_if(queues_, [](const auto& queue) { return queue.use_count() == 1 && queue->idle(); });
}

std::vector<std::shared_ptr<Queue>> Context::queues() {
  const std::lock_guard lock(mutex_);
  forget_idle_queues();
  return queues_;
}

void Context::finish() {
  check_process();
  std::exception_ptr failure;
  for (const auto& queue : queues()) {
    try {
      queue->finish();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void Context::report_failure(Queue& queue) {
  queue.report_failure();
  for (const auto& other : queues()) {
    if (has_no_stream(other)) {
      other->report_failure();
    } else if (const auto failure = other->failure()) {
      throw OpenClError(*failure);
    }
  }
}

std::vector<Event> Context::pending(Queue& queue) {
  std::vector<Event> all = queue.pending(true);
  for (const auto& other : queues()) {
    if (other.get() == &queue) continue;
    for (Event& event : other->pending(has_no_stream(other))) all.push_back(std::move(event));
  }
  return all;
}

std::shared_ptr<BufferUses> Context::uses_of(cl_mem root) {
  const std::lock_guard lock(mutex_);
  std::erase_if(uses_of_, [](const auto& entry) { return entry.second.expired(); });
  auto uses = uses_of_[root].lock();
  if (!uses) uses_of_[root] = uses = std::make_shared<BufferUses>();
  return uses;
}

}  // namespace tessera::inline v0::runtime
