// Context: a device with everything that its streams share.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/memory.hpp"
#include "runtime/memory_budget.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program_store.hpp"
#include "runtime/queue.hpp"
#include "runtime/scratch.hpp"

namespace tessera::inline v0::runtime {

class Context : public std::enable_shared_from_this<Context> {
 public:
  /// `profile`: where to find tuned kernels, as in $TESSERA_PROFILE.
  Context(Device device, cl::Context handle, bool profiling, std::string profile);

  const Device& device() const { return device_; }
  const cl::Context& handle() const { return handle_; }
  bool profiling() const { return profiling_; }
  const std::string& profile() const { return profile_; }
  MemoryBudget& budget() { return *budget_; }
  ScratchPool& scratch() { return scratch_; }
  ProgramStore& programs() { return programs_; }

  std::uint64_t new_stream_id() { return ++streams_; }
  /// Adds a queue. The context keeps it beyond its stream for as long as it has a command that has
  /// not ended, or a failure that was not reported.
  std::shared_ptr<Queue> add_queue(cl::CommandQueue handle);
  /// Waits for all commands of all streams. Throws OpenClError if one of them has failed since the
  /// last report.
  void finish();
  /// Implements Stream::report_failure() for the stream that has `queue`.
  void report_failure(Queue& queue);
  /// Implements Stream::pending() for the stream that has `queue`.
  std::vector<Event> pending(Queue& queue);

  /// The uses of an application's buffer, shared by everything that adopts it in this context.
  std::shared_ptr<BufferUses> uses_of(cl_mem root);

  /// State that other units keep in the context: one object of each type, created on first use.
  template <class T>
  T& extension() {
    const std::lock_guard lock(mutex_);
    auto& slot = extensions_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

 private:
  std::vector<std::shared_ptr<Queue>> queues();
  /// Drops idle queues that have no stream. The caller has locked the mutex.
  void forget_idle_queues();

  Device device_;
  cl::Context handle_;
  bool profiling_;
  std::string profile_;
  std::shared_ptr<MemoryBudget> budget_;
  ScratchPool scratch_;
  ProgramStore programs_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Queue>> queues_;
  std::map<cl_mem, std::weak_ptr<BufferUses>> uses_of_;
  std::atomic<std::uint64_t> streams_ = 0;
  std::map<std::type_index, std::shared_ptr<void>>
      extensions_;  // destroyed first: they use the rest
};

}  // namespace tessera::inline v0::runtime
