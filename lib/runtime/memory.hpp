// Memory: a buffer on a device, with the order in which the streams of its context use it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/ledger.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

class Stream;

enum class Access { read, write };

class Memory {
 public:
  explicit Memory(cl::Buffer buffer) : buffer_(std::move(buffer)), root_(buffer_()) {}
  /// A sub-buffer, with the buffer that it is a part of and where in it, in bytes.
  Memory(cl::Buffer buffer, cl_mem root, std::uint64_t origin)
      : buffer_(std::move(buffer)), root_(root), origin_(origin) {}

  const cl::Buffer& buffer() const { return buffer_; }
  cl_mem root() const { return root_; }
  std::uint64_t origin() const { return origin_; }

  /// Adds to `events` what a command of `stream` has to wait for: other streams' writes, and before
  /// a write their reads too. The stream's own commands are in order by themselves.
  void collect(const Stream& stream, Access access, std::vector<cl::Event>& events) const;
  /// `event` ends a command of `stream` that used this memory.
  void stamp(const Stream& stream, Access access, const cl::Event& event);

 private:
  struct Use {
    const Stream* stream = nullptr;  // an identity, not looked into
    cl::Event event;
  };

  cl::Buffer buffer_;
  cl_mem root_;
  std::uint64_t origin_ = 0;
  mutable std::mutex mutex_;
  Use written_;
  std::vector<Use> reads_;  // since the last write, the latest of each stream
};

/// Lets `loan` live until the device has let go of `object`, which may be after its last owner
/// here.
void tie(cl_mem object, std::unique_ptr<Ledger::Loan> loan);

}  // namespace tessera::inline v0::runtime
