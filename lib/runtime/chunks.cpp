// Cutting a block into chunks, and copying them side by side.
#include "runtime/chunks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace tessera::inline v0::runtime {

std::vector<Chunk> chunks(Block block, std::size_t host_pitch) {
  if (dense(block, Source{nullptr, host_pitch}))
    block = {block.memory, block.offset, 1, bytes(block), bytes(block)};
  const std::size_t rows = std::max<std::size_t>(StagingSlot::kBytes / block.row_bytes, 1);
  const std::size_t row_bytes = std::min(StagingSlot::kBytes, block.row_bytes);
  std::vector<Chunk> all;
  for (std::size_t row = 0; row < block.rows; row += rows) {
    for (std::size_t byte = 0; byte < block.row_bytes; byte += row_bytes) {
      const Part part = {row, byte, std::min(rows, block.rows - row),
                         std::min(row_bytes, block.row_bytes - byte)};
      all.push_back({within(block, part), row * host_pitch + byte});
    }
  }
  return all;
}

void copy_chunks(Context& context, const std::vector<Chunk>& chunks, const CopyChunk& copy) {
  const std::size_t threads = std::min(
      {chunks.size(), Staging::kMaxKept, std::size_t{std::thread::hardware_concurrency()}});
  Staging own(context);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto copy_some = [&](Staging& staging) {
    try {
      for (std::size_t i = next++; i < chunks.size(); i = next++) copy(staging, chunks[i]);
    } catch (...) {
      next = chunks.size();
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const auto help = [&] {
      try {
        Staging staging(context);
        copy_some(staging);
      } catch (const cl::Error&) {  // no memory for another slot: the other threads do it
      } catch (const std::bad_alloc&) {
      }
    };
    try {
      for (std::size_t i = 1; i < threads; i++) others.emplace_back(help);
    } catch (const std::system_error&) {  // no more threads, likewise
    }
    copy_some(own);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tessera::inline v0::runtime
