// Copies of blocks, in one piece if the rows are contiguous.
#include "runtime/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/staging.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::runtime {
namespace {

std::string doing(const char* what, const Block& block) {
  return fmt::format("{} {} rows of {} bytes", what, block.rows, block.row_bytes);
}

/// Submits the commands of `enqueue(submission)`; `what` and `block` describe them in errors.
template <class Enqueue>
Event submit(Stream& stream, std::vector<Operand> operands, const char* what, const Block& block,
             Enqueue&& enqueue) {
  return with_opencl_errors(
      [&] {
        Submission submission(stream, std::move(operands));
        enqueue(submission);
        return submission.finish().second;
      },
      [&] { return doing(what, block); });
}

void enqueue_write(Submission& submission, const Block& to, const std::byte* from) {
  const cl::Buffer& buffer = to.memory->buffer();
  for (const Part& part : parts({to})) {
    const Block piece = within(to, part);
    const auto* const source = from + host_offset(to, part);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          if (dense(to) || part.rows == 1) {
            queue.enqueueWriteBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), source, nullptr,
                                     event);
          } else {
            queue.enqueueWriteBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                         to.pitch, 0, to.row_bytes, 0, source, nullptr, event);
          }
        },
        doing("writing", to));
  }
}

void enqueue_read(Submission& submission, const Block& from, std::byte* to) {
  const cl::Buffer& buffer = from.memory->buffer();
  for (const Part& part : parts({from})) {
    const Block piece = within(from, part);
    auto* const target = to + host_offset(from, part);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          if (dense(from) || part.rows == 1) {
            queue.enqueueReadBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), target, nullptr,
                                    event);
          } else {
            queue.enqueueReadBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                        from.pitch, 0, from.row_bytes, 0, target, nullptr, event);
          }
        },
        doing("reading", from));
  }
}

/// The parts of a block that fill a slot each, in the order of dense host memory: whole rows, or
/// pieces of one.
std::vector<Block> chunks(Block block) {
  if (dense(block)) block = {block.memory, block.offset, 1, bytes(block), bytes(block)};
  const std::size_t rows = std::max<std::size_t>(StagingSlot::kBytes / block.row_bytes, 1);
  const std::size_t row_bytes = std::min(StagingSlot::kBytes, block.row_bytes);
  std::vector<Block> all;
  for (std::size_t row = 0; row < block.rows; row += rows) {
    for (std::size_t byte = 0; byte < block.row_bytes; byte += row_bytes) {
      all.push_back(within(block, {row, byte, std::min(rows, block.rows - row),
                                   std::min(row_bytes, block.row_bytes - byte)}));
    }
  }
  return all;
}

/// Enqueues a transfer of each chunk by `enqueue(submission, chunk, slot)`, all as one operation;
/// the events of the chunks.
template <class Enqueue>
std::vector<Event> submit_chunks(Stream& stream, Operand operand, Staging& staging,
                                 const std::vector<Block>& chunks, Enqueue&& enqueue) {
  Submission submission(stream, {operand});
  try {
    std::vector<Event> events;
    for (std::size_t i = 0; i < chunks.size(); i++) {
      submission.wait_for(staging.gate(i));
      enqueue(submission, chunks[i], staging.slot(i));
      events.push_back(submission.last());
    }
    submission.finish();
    return events;
  } catch (...) {
    staging.give_up();  // the submission's end waits for the device
    throw;
  }
}

/// Maps the rows, of a device that shares the host's memory, for `copy(row, offset in dense host
/// memory, bytes)`. What follows on the device waits until they are unmapped.
template <class Copy>
void map_rows(Stream& stream, const Block& block, Access access, Copy&& copy) {
  Gate gate(stream.context());
  std::byte* rows = nullptr;
  Event mapped;
  {
    Submission submission(stream, {{block.memory, access}});
    try {
      const cl::Buffer& buffer = block.memory->buffer();
      submission.command(
          [&](const cl::CommandQueue& queue, cl::Event* event) {
            rows = static_cast<std::byte*>(queue.enqueueMapBuffer(
                buffer, CL_FALSE, access == Access::read ? CL_MAP_READ : CL_MAP_WRITE, block.offset,
                (block.rows - 1) * block.pitch + block.row_bytes, nullptr, event));
          },
          doing("mapping", block));
      mapped = submission.last();
      submission.wait_for(gate.event());
      submission.command(
          [&](const cl::CommandQueue& queue, cl::Event* event) {
            queue.enqueueUnmapMemObject(buffer, rows, nullptr, event);
          },
          doing("unmapping", block));
      submission.finish();
    } catch (...) {
      gate.open();  // the submission's end waits for the device
      throw;
    }
  }
  mapped.wait();
  if (dense(block)) {
    copy(rows, 0, bytes(block));
  } else {
    for (std::size_t i = 0; i < block.rows; i++)
      copy(rows + i * block.pitch, i * block.row_bytes, block.row_bytes);
  }
  gate.open();
}

/// Is this copied by the host itself? A few bytes are copied twice before a mapping pays.
bool is_mapped(const Stream& stream, const Block& block) {
  constexpr std::size_t kMinimum = std::size_t{128} << 10;
  return stream.context().device().shares_host_memory && bytes(block) >= kMinimum;
}

void write_staged(Stream& stream, const Block& to, const std::byte* from) {
  const std::vector<Block> all = chunks(to);
  Staging staging(stream, all.size());
  const auto fill = [&](std::size_t i) {
    std::memcpy(staging.slot(i), from, bytes(all[i]));
    from += bytes(all[i]);
    staging.open(i);
  };
  const std::size_t first = std::min(all.size(), Staging::kSlots);
  for (std::size_t i = 0; i < first; i++) fill(i);
  const std::vector<Event> written =
      submit_chunks(stream, {to.memory, Access::write}, staging, all, enqueue_write);
  for (std::size_t i = first; i < all.size(); i++) {
    written[i - Staging::kSlots].wait();
    fill(i);
  }
  written.back().wait();
  staging.end();
}

void read_staged(Stream& stream, const Block& from, std::byte* to) {
  const std::vector<Block> all = chunks(from);
  Staging staging(stream, all.size());
  const std::vector<Event> copied =
      submit_chunks(stream, {from.memory, Access::read}, staging, all, enqueue_read);
  for (std::size_t i = 0; i < all.size(); i++) {
    copied[i].wait();
    std::memcpy(to, staging.slot(i), bytes(all[i]));
    to += bytes(all[i]);
    staging.open(i + Staging::kSlots);
  }
  staging.end();
}

}  // namespace

Event write_async(Stream& stream, const Block& to, const void* from) {
  if (empty(to)) return {};
  return submit(stream, {{to.memory, Access::write}}, "writing", to, [&](Submission& submission) {
    enqueue_write(submission, to, static_cast<const std::byte*>(from));
  });
}

void write(Stream& stream, const Block& to, const void* from) {
  if (empty(to)) return;
  with_opencl_errors(
      [&] {
        const auto* const source = static_cast<const std::byte*>(from);
        if (!is_mapped(stream, to)) return write_staged(stream, to, source);
        map_rows(stream, to, Access::write,
                 [&](std::byte* row, std::size_t offset, std::size_t bytes) {
                   std::memcpy(row, source + offset, bytes);
                 });
      },
      [&] { return doing("writing", to); });
  stream.report_failure();
}

void read(Stream& stream, const Block& from, void* to) {
  if (empty(from)) return;
  with_opencl_errors(
      [&] {
        auto* const target = static_cast<std::byte*>(to);
        if (!is_mapped(stream, from)) return read_staged(stream, from, target);
        map_rows(stream, from, Access::read,
                 [&](const std::byte* row, std::size_t offset, std::size_t bytes) {
                   std::memcpy(target + offset, row, bytes);
                 });
      },
      [&] { return doing("reading", from); });
  stream.report_failure();
}

Event copy(Stream& stream, const Block& from, const Block& to) {
  if (empty(from)) return {};
  return submit(stream, {{from.memory, Access::read}, {to.memory, Access::write}}, "copying", from,
                [&](Submission& submission) {
                  const cl::Buffer &source = from.memory->buffer(), &target = to.memory->buffer();
                  for (const Part& part : parts({from, to})) {
                    const Block piece = within(from, part), place = within(to, part);
                    submission.command(
                        [&](const cl::CommandQueue& queue, cl::Event* event) {
                          if ((dense(from) && dense(to)) || part.rows == 1) {
                            queue.enqueueCopyBuffer(source, target, piece.offset, place.offset,
                                                    bytes(piece), nullptr, event);
                          } else {
                            queue.enqueueCopyBufferRect(source, target, origin(piece),
                                                        origin(place), region(piece), from.pitch, 0,
                                                        to.pitch, 0, nullptr, event);
                          }
                        },
                        doing("copying", from));
                  }
                });
}

}  // namespace tessera::inline v0::runtime
