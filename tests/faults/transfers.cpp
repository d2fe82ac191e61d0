// What is known to have ended, by a clock of queues: any number of threads may enqueue and wait.
#include "transfers.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "own_work.hpp"

namespace tessera::test::transfers {
namespace {

/// For each queue, the number of its last command that comes before.
using Clock = std::map<cl_command_queue, long>;

struct Transfer {
  std::byte* memory;
  std::size_t bytes;
  bool writes, is_freed;
  cl_command_queue queue;
  long number;
};

struct Log {
  std::vector<Transfer> transfers;
  std::map<cl_command_queue, Clock> queues;
  std::map<cl_event, Clock> events;
  pthread_t thread = {};             // that called watch()
  const std::byte* frame = nullptr;  // the address of a variable there
};

std::mutex mutex;
std::atomic<bool> watching = false;
Log current;
thread_local bool is_ours = false;  // what this thread frees is the log's

/// The log, to one thread at a time.
struct Access {
  Access() { is_ours = true; }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  ~Access() { is_ours = false; }
  std::lock_guard<std::mutex> lock{mutex};
};

void note_freed(const void* memory, std::size_t bytes) {
  if (is_ours) return;
  const Access access;
  const auto* const begin = static_cast<const std::byte*>(memory);
  for (Transfer& transfer : current.transfers) {
    if (begin < transfer.memory + transfer.bytes && transfer.memory < begin + bytes)
      transfer.is_freed = true;
  }
}

/// Returns whether this memory is on this thread's stack, and so may end before the transfer.
bool is_on_stack(const std::byte* memory) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  const auto* const begin = static_cast<const std::byte*>(low);
  const bool is_watcher = pthread_equal(pthread_self(), current.thread) != 0;
  return memory >= begin && memory < (is_watcher ? current.frame : begin + bytes);
}

void join(Clock& clock, const Clock& other) {
  for (const auto& [queue, number] : other) clock[queue] = std::max(clock[queue], number);
}

void end_up_to(const Clock& clock) {
  std::erase_if(current.transfers, [&](const Transfer& transfer) {
    const auto last = clock.find(transfer.queue);
    return last != clock.end() && transfer.number <= last->second;
  });
}

}  // namespace

void watch() {
  std::byte here{};
  {
    const Access access;
    current = {};
    current.thread = pthread_self();
    current.frame = &here;
    watching = true;
  }
  watch_frees(note_freed);
}

std::string land() {
  watch_frees(nullptr);
  const Access access;
  watching = false;
  std::string freed;
  for (const Transfer& transfer : current.transfers) {
    if (transfer.is_freed) {
      freed +=
          std::to_string(transfer.bytes) + (transfer.writes ? " bytes written " : " bytes read ");
    } else if (transfer.writes) {
      std::memset(transfer.memory, 0x5a, transfer.bytes);
    }
  }
  current = {};
  return freed;
}

Command::Command(cl_command_queue queue, cl_uint number, const cl_event* events) : queue_(queue) {
  if (!watching) return;
  const Access access;
  Clock& clock = current.queues[queue];
  for (cl_uint i = 0; i < number; i++) join(clock, current.events[events[i]]);
  number_ = ++clock[queue];
}

void Command::uses(const void* memory, std::size_t bytes, bool writes) {
  if (number_ == 0) return;
  const Access access;
  auto* const begin = static_cast<std::byte*>(const_cast<void*>(memory));  // written if `writes`
  current.transfers.push_back({begin, bytes, writes, is_on_stack(begin), queue_, number_});
}

void Command::enqueued(cl_int status, const cl_event* event) {
  if (number_ == 0) return;
  const Access access;
  if (status != CL_SUCCESS) {
    std::erase_if(current.transfers, [&](const Transfer& transfer) {
      return transfer.queue == queue_ && transfer.number == number_;
    });
  } else if (event != nullptr) {
    Clock clock = current.queues[queue_];
    clock[queue_] = number_;
    current.events[*event] = clock;
  }
}

void finished(cl_command_queue queue) {
  if (!watching) return;
  const Access access;
  end_up_to(current.queues[queue]);
}

void finished(cl_event event) {
  if (!watching) return;
  const Access access;
  end_up_to(current.events[event]);
}

void created(cl_event event) {
  if (!watching) return;
  const Access access;
  current.events.erase(event);
}

}  // namespace tessera::test::transfers
