// Waiting for a queue, and reporting failures of its commands.
#include "runtime/queue.hpp"

#include <string>

#include "runtime/event_state.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/detail/access.hpp"

namespace tessera::inline v0::runtime {

void Queue::enter() {
  if (thread_ == std::thread::id()) thread_ = std::this_thread::get_id();
  if (thread_ != std::this_thread::get_id()) end_privacy();
}

void Queue::mark_later(std::weak_ptr<const EventState> last) {
  const std::lock_guard lock(unmarked_mutex_);
  unmarked_ = std::move(last);
}

void Queue::mark() {
  const std::lock_guard lock(unmarked_mutex_);
  if (const auto last = unmarked_.lock(); last && !last->succeeded) last->mark();
  unmarked_.reset();
}

void Queue::note(const Event& event) {
  const std::lock_guard lock(mutex_);
  pending_.push_back(event);
  // Drops up to two ended events for each new one, but keeps the latest: on NVIDIA's driver, a
  // query costs a microsecond more if the command has only just ended.
  constexpr std::size_t kLatest = 64;
  for (int i = 0; i < 2 && pending_.size() > kLatest && ended(pending_.front()); i++)
    pending_.pop_front();
}

void Queue::finish() {
  Event last;
  {
    const std::lock_guard lock(mutex_);
    if (!pending_.empty()) last = pending_.back();
  }
  with_opencl_errors([&] { handle().finish(); },
                     [] { return std::string("waiting for the device"); });
  if (const auto& state = detail::Access::state(last)) state->note_end_of(handle());
  wait_for_unfinished();
  report_failure();
}

bool Queue::has_ended() {
  if (clFinish(handle()()) != CL_SUCCESS) return false;
  wait_for_unfinished();
  return true;
}

/// PoCL's clFinish returns on its device "basic" while a command waits for a user event.
void Queue::wait_for_unfinished() {
  std::vector<Event> left;
  {
    const std::lock_guard lock(mutex_);
    drop_ended();
    left.assign(pending_.begin(), pending_.end());
  }
  for (const Event& event : left) {
    try {
      event.wait();
    } catch (const OpenClError&) {  // report_failure() reports it
    }
  }
}

void Queue::report_failure() {
  const std::lock_guard lock(mutex_);
  drop_ended();
  if (const auto failure = std::exchange(failure_, std::nullopt)) throw OpenClError(*failure);
}

std::optional<OpenClError> Queue::failure() {
  const std::lock_guard lock(mutex_);
  drop_ended();
  return failure_;
}

bool Queue::idle() {
  const std::lock_guard lock(mutex_);
  drop_ended();
  return pending_.empty() && !failure_;
}

std::vector<Event> Queue::pending(bool reports) {
  const std::lock_guard lock(mutex_);
  drop_ended();
  if (failure_) throw OpenClError(reports ? *std::exchange(failure_, std::nullopt) : *failure_);
  return {pending_.begin(), pending_.end()};
}

bool Queue::ended(const Event& event) try {
  return event.complete();
} catch (const OpenClError& error) {
  if (!failure_) failure_ = error;
  broke_off_ = true;
  return true;
}

// Checks all events, because a command may fail before an event of another queue that was noted
// earlier has ended.
void Queue::drop_ended() {
  std::erase_if(pending_, [this](const Event& event) { return ended(event); });
}

}  // namespace tessera::inline v0::runtime
