// Submission: the commands of one operation on a stream, ordered with everything else that uses its
// operands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/stream.hpp"
#include "tessera/event.hpp"

namespace tessera::inline v0::runtime {

/// An operand and how it is accessed.
struct Operand {
  Memory* memory;
  Access access;
};

/// Work-groups of a launch, and work-items of each in dimensions 0 and 1; in dimension 2 a
/// work-group has one.
struct Grid {
  std::array<std::size_t, 3> groups;
  std::array<std::size_t, 2> group;

  Grid(std::array<std::size_t, 3> number, std::array<std::size_t, 2> size)
      : groups{number[0], number[1], std::max<std::size_t>(number[2], 1)}, group(size) {}
};

/// A kernel argument: local memory of the given size.
struct LocalMemory {
  std::size_t bytes;
};

/// A kernel argument: a number whose type is known only at run time.
struct Value {
  std::array<std::byte, 16> bytes;
  std::size_t size;
};

template <class T>
Value value_of(T number) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Value::bytes));
  Value value{{}, sizeof number};
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

/// Scratch memory that an operation asks for, in bytes.
struct ScratchTally {
  std::uint64_t bytes = 0;
};

/// Locks the stream and the operands from construction on. The first command waits for `wait_for`
/// and for pending work of other streams on the operands. finish() records the commands, so that
/// later operations on the operands wait for them. If anything throws before that, the destructor
/// waits for the commands.
///
/// An operation that waits on the host unlocks both meanwhile: read() records the commands so far.
/// The next command locks again, and waits for commands of other streams from in between.
class Submission {
 public:
  Submission(Stream& stream, std::vector<Operand> operands,
             const std::vector<Event>& wait_for = {});
  /// A rehearsal: it enqueues and locks nothing, and counts what the operation asks for.
  Submission(Stream& stream, ScratchTally& tally) : stream_(&stream), tally_(&tally) {}
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;
  ~Submission();

  Stream& stream() const { return *stream_; }
  /// The next command waits for `event` too, which may be empty.
  void wait_for(const Event& event);
  /// The last command so far, at least one.
  Event last();

  /// Memory that belongs to this operation until read() or its last command.
  cl::Buffer scratch(std::uint64_t bytes, const std::string& what);
  /// Memory that belongs to this operation until its last command.
  cl::Buffer lasting_scratch(std::uint64_t bytes, const std::string& what);
  cl::Image2D scratch_image(cl::ImageFormat format, std::size_t width, std::size_t height,
                            const std::string& what);

  /// Host memory for commands to use. If the operation fails and they cannot be known to have
  /// ended, it is never freed.
  template <class T, class... Arguments>
  T& host_memory(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    host_memory_.emplace_back(
        made.get(), [](void* memory) { std::default_delete<T>()(static_cast<T*>(memory)); });
    return *made.release();
  }

  /// Enqueues a kernel with its arguments in order.
  template <class... Arguments>
  void launch(Kernel& kernel, const Grid& grid, const Arguments&... arguments) {
    if (tally_ != nullptr) return;
    lock();
    const std::lock_guard lock_of_kernel(kernel.mutex);
    with_opencl_errors(
        [&] {
          cl_uint index = 0;
          (set_argument(kernel, index++, arguments), ...);
        },
        [&] { return "kernel " + kernel.name; });
    enqueue(kernel, grid);
  }

  /// Enqueues any other command: `call(queue, event)`.
  template <class Call>
  void command(Call&& call, const std::string& doing) {
    if (tally_ != nullptr) return;
    lock();
    with_opencl_errors([&] { call(stream_->queue(), next_event()); }, [&] { return doing; });
  }

  /// Unlocks the stream and the operands, and enqueues a read of scratch memory.
  void read_async(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to,
                  const std::string& doing);
  /// The same, and waits for all commands of the operation. Throws like report_failure().
  void read(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to,
            const std::string& doing);

  /// After the host has waited: throws OpenClError if a command has failed, of this operation or
  /// of those before it, so that nothing that was read can be wrong.
  void report_failure();

  /// The operation's event reports what fails of everything enqueued before, too. Throws
  /// OpenClError if something has failed already. Before the first command.
  void report_others();

  /// Ends the operation. Returns the events of its first command that has one, and of all its
  /// commands. If the last command has no event, it may get one later, when that is needed.
  std::pair<Event, Event> finish();

 private:
  template <class T>
  static void set_argument(Kernel& kernel, cl_uint index, const T& value) {
    kernel.handle.setArg(index, value);
  }
  static void set_argument(Kernel& kernel, cl_uint index, const LocalMemory& local) {
    kernel.handle.setArg(index, cl::Local(local.bytes));
  }
  static void set_argument(Kernel& kernel, cl_uint index, const Value& value) {
    kernel.handle.setArg(index, value.size, value.bytes.data());
  }
  void lock();
  void hold_operands();
  Event publish(std::shared_ptr<EventState> state);
  Event publish_without_event();
  void unlock();
  void enqueue_read(const cl::Buffer& from, std::size_t offset, std::span<std::byte> to, bool waits,
                    const std::string& doing);
  void enqueue(Kernel& kernel, const Grid& grid);
  /// Adds the last command to the earlier ones, if it has an event.
  void keep_last();
  cl::Event* next_event();
  /// The next event if the command is a kernel; null if it needs none.
  cl::Event* next_event_of_kernel();
  /// Enqueues a marker if commands lack an event.
  void mark();
  void begin_command();
  void wait_for_others();
  std::shared_ptr<EventState> state_of(cl::Event command) const;
  /// The commands since the last report.
  Event commands(std::shared_ptr<EventState> all);

  Stream* stream_;
  ScratchTally* tally_ = nullptr;  // of a rehearsal
  std::unique_lock<std::mutex> lock_;
  std::vector<Operand> operands_;
  std::vector<
      std::variant<std::shared_lock<std::shared_mutex>, std::unique_lock<std::shared_mutex>>>
      holds_;
  std::vector<Event> before_;   // the next command waits for these
  std::vector<Event> awaited_;  // commands since the last report waited for these
  std::vector<Event> earlier_;  // commands since the last report, except the last one
  std::vector<Event> others_;   // operations whose failures the operation's event reports
  std::vector<std::unique_ptr<void, void (*)(void*)>> host_memory_;
  ScratchPool::Holder lasting_ = 0;  // of lasting_scratch(); 0: there is none
  Event first_, published_;
  cl::Event last_;
  bool is_behind_ = false;  // last_ is not an event of the last command
  bool in_flight_ = false;  // a command may still run
  bool finished_ = false;
};

}  // namespace tessera::inline v0::runtime
