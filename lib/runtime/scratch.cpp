// The pool of scratch memory: the smallest piece that fits, else a new one.
#include "runtime/scratch.hpp"

#include <algorithm>
#include <utility>

#include "runtime/memory.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::uint64_t kLargestPool = std::uint64_t{8} << 30;

}  // namespace

ScratchPool::ScratchPool(cl::Context context, std::shared_ptr<MemoryBudget> budget)
    : context_(std::move(context)),
      budget_(std::move(budget)),
      bound_(std::min(kLargestPool, budget_->capacity() / 16)) {}

template <class Fits, class Make>
cl::Memory ScratchPool::get(const User& user, Entry wanted, const std::string& what, Fits fits,
                            Make make) {
  {
    const std::lock_guard lock(mutex_);
    const auto idle = std::ranges::find_if(pool_, [&](const Entry& entry) {
      return entry.stream == user.stream && entry.holder == 0 && fits(entry);
    });
    if (idle != pool_.end()) {
      cl::Memory memory = idle->memory;
      idle->holder = user.holder;
      return memory;
    }
  }
  make_room(wanted.bytes, user.queue);
  auto reservation = budget_->reserve(wanted.bytes, what, Purpose::scratch);
  wanted.memory = make();
  wanted.holder = user.holder;
  wanted.reservation = release_with(wanted.memory(), std::move(reservation));
  cl::Memory memory = wanted.memory;
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::upper_bound(pool_, wanted.bytes, {}, &Entry::bytes);
  pool_.insert(place, std::move(wanted));
  return memory;
}

cl::Buffer ScratchPool::buffer(const User& user, std::uint64_t bytes, const std::string& what) {
  const cl::Memory memory = get(
      user, {.stream = user.stream, .bytes = bytes}, what,
      [&](const Entry& entry) { return entry.width == 0 && entry.bytes >= bytes; },
      [&] { return cl::Buffer(context_, CL_MEM_READ_WRITE, bytes); });
  return cl::Buffer(memory(), true);
}

cl::Image2D ScratchPool::image(const User& user, cl::ImageFormat format, std::size_t width,
                               std::size_t height, const std::string& what) {
  const std::uint64_t bytes = std::uint64_t{width} * height * 16;  // of four 32-bit channels
  const Entry wanted{
      .stream = user.stream, .bytes = bytes, .format = format, .width = width, .height = height};
  const cl::Memory memory = get(
      user, wanted, what,
      [&](const Entry& entry) {
        return entry.format.image_channel_data_type == format.image_channel_data_type &&
               entry.width >= width && entry.height >= height && entry.bytes <= 2 * bytes;
      },
      [&] { return cl::Image2D(context_, CL_MEM_READ_WRITE, format, width, height); });
  return cl::Image2D(memory(), true);
}

template <class Condition>
void ScratchPool::free_where(Condition condition) {
  std::list<Entry> freed;  // destroyed after unlocking: a driver may be slow
  const std::lock_guard lock(mutex_);
  for (auto entry = pool_.begin(); entry != pool_.end();) {
    const auto next = std::next(entry);
    // Neither allocates nor adds a reference: destructors call this.
    if (condition(*entry)) freed.splice(freed.end(), pool_, entry);
    entry = next;
  }
}

void ScratchPool::release(std::uint64_t stream, Holder holder) {
  // The largest are freed first: the small ones are the ones requested again.
  std::uint64_t kept = 0;
  free_where([&](Entry& entry) {
    if (entry.stream != stream) return false;
    if (entry.holder == holder) entry.holder = 0;
    if (entry.holder != 0) return false;
    return (kept += entry.bytes) > bound_;
  });
}

void ScratchPool::forget(std::uint64_t stream) {
  free_where([&](const Entry& entry) { return entry.stream == stream; });
}

void ScratchPool::free_idle() {
  free_where([](const Entry& entry) { return entry.holder == 0; });
}

void ScratchPool::make_room(std::uint64_t bytes, const cl::CommandQueue& queue) {
  if (budget_->fits(bytes)) return;
  free_idle();
  queue.finish();
}

}  // namespace tessera::inline v0::runtime
