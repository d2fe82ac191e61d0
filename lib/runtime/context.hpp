// Context: a device with all that its engines share, whatever their streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>

#include "runtime/device.hpp"
#include "runtime/memory.hpp"
#include "runtime/memory_budget.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program_store.hpp"

namespace tessera::inline v0::runtime {

class Context {
 public:
  /// `profile`: whose tuned kernels to use, as $TESSERA_PROFILE.
  Context(Device device, cl::Context handle, bool profiling, std::string profile)
      : device_(std::move(device)),
        handle_(std::move(handle)),
        profiling_(profiling),
        profile_(std::move(profile)),
        budget_(std::make_shared<MemoryBudget>(device_.info)),
        programs_(handle_, device_) {}

  const Device& device() const { return device_; }
  const cl::Context& handle() const { return handle_; }
  bool profiling() const { return profiling_; }
  const std::string& profile() const { return profile_; }
  MemoryBudget& budget() { return *budget_; }
  ProgramStore& programs() { return programs_; }

  std::uint64_t new_stream_id() { return ++streams_; }

  /// The order in which an application's buffer is used, whoever adopted it here.
  std::shared_ptr<BufferUses> uses_of(cl_mem root) {
    const std::lock_guard lock(mutex_);
    std::erase_if(uses_of_, [](const auto& entry) { return entry.second.expired(); });
    auto uses = uses_of_[root].lock();
    if (!uses) uses_of_[root] = uses = std::make_shared<BufferUses>();
    return uses;
  }

  /// Something that an upper room keeps for as long as the context: one object of each type.
  template <class T>
  T& extension() {
    const std::lock_guard lock(mutex_);
    auto& slot = extensions_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

 private:
  Device device_;
  cl::Context handle_;
  bool profiling_;
  std::string profile_;
  std::shared_ptr<MemoryBudget> budget_;
  ProgramStore programs_;
  std::mutex mutex_;
  std::map<std::type_index, std::shared_ptr<void>> extensions_;
  std::map<cl_mem, std::weak_ptr<BufferUses>> uses_of_;
  std::atomic<std::uint64_t> streams_ = 0;
};

}  // namespace tessera::inline v0::runtime
