// The pool of scratch memory: the smallest piece that fits, else a new one.
#include "runtime/scratch.hpp"

#include <algorithm>
#include <utility>

#include "runtime/memory.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::uint64_t kLargestPool = std::uint64_t{256} << 20;

}  // namespace

Scratch::Scratch(Context& context, cl::CommandQueue queue)
    : context_(&context),
      queue_(std::move(queue)),
      bound_(std::min(kLargestPool, context.budget().capacity() / 16)) {}

template <class Fits>
Scratch::Entry* Scratch::idle(Fits fits) {
  Entry* best = nullptr;
  for (Entry& entry : pool_) {
    if (!entry.in_use && fits(entry) && (best == nullptr || entry.bytes < best->bytes))
      best = &entry;
  }
  return best;
}

template <class Make>
cl::Memory Scratch::add(Entry entry, const std::string& what, Make make) {
  if (!context_->budget().fits(entry.bytes)) make_room();
  auto reservation = context_->budget().reserve(entry.bytes, what);
  entry.memory = make();
  release_with(entry.memory(), std::move(reservation));
  pool_.push_back(entry);
  return entry.memory;
}

cl::Buffer Scratch::buffer(std::uint64_t bytes, const std::string& what) {
  Entry* entry = idle([&](const Entry& e) { return e.width == 0 && e.bytes >= bytes; });
  if (entry != nullptr) entry->in_use = true;
  const cl::Memory memory = entry != nullptr ? entry->memory : add({.bytes = bytes}, what, [&] {
    return cl::Buffer(context_->handle(), CL_MEM_READ_WRITE, bytes);
  });
  return cl::Buffer(memory(), true);
}

cl::Image2D Scratch::image(cl::ImageFormat format, std::size_t width, std::size_t height,
                           const std::string& what) {
  const std::uint64_t bytes = std::uint64_t{width} * height * 16;  // of four 32-bit channels
  Entry* entry = idle([&](const Entry& e) {
    return e.format.image_channel_data_type == format.image_channel_data_type && e.width >= width &&
           e.height >= height && e.bytes <= 2 * bytes;
  });
  if (entry != nullptr) entry->in_use = true;
  const cl::Memory memory =
      entry != nullptr
          ? entry->memory
          : add({.bytes = bytes, .format = format, .width = width, .height = height}, what, [&] {
              return cl::Image2D(context_->handle(), CL_MEM_READ_WRITE, format, width, height);
            });
  return cl::Image2D(memory(), true);
}

void Scratch::release() {
  for (Entry& entry : pool_) entry.in_use = false;
  // The largest go first: the small ones are what comes again.
  std::ranges::sort(pool_, {}, &Entry::bytes);
  std::uint64_t kept = 0;
  std::erase_if(pool_, [&](const Entry& entry) { return (kept += entry.bytes) > bound_; });
}

void Scratch::make_room() {
  std::erase_if(pool_, [](const Entry& entry) { return !entry.in_use; });
  queue_.finish();
}

}  // namespace tessera::inline v0::runtime
