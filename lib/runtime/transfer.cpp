// Copies of blocks, in one piece if the rows are contiguous.
#include "runtime/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/staging.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::runtime {
namespace {

using Sizes = std::array<std::size_t, 3>;

/// Some rows of a block, and `bytes` bytes of each, starting at `byte`.
struct Part {
  std::size_t row, byte, rows, bytes;
};

bool dense(const Block& block) { return block.rows == 1 || block.pitch == block.row_bytes; }
bool empty(const Block& block) { return block.rows == 0 || block.row_bytes == 0; }
std::size_t bytes(const Block& block) { return block.rows * block.row_bytes; }
Sizes origin(const Block& block) {
  return {block.offset % block.pitch, block.offset / block.pitch, 0};
}
Sizes region(const Block& block) { return {block.row_bytes, block.rows, 1}; }

Block within(const Block& block, const Part& part) {
  return {block.memory, block.offset + part.row * block.pitch + part.byte, part.rows, part.bytes,
          block.pitch};
}

/// Bytes of a row that lie before the next multiple of the pitch; an adopted view may begin
/// at any offset.
std::size_t before_wrap(const Block& block) {
  return std::min(block.row_bytes, block.pitch - block.offset % block.pitch);
}

/// Does every row, extended to the full pitch, lie within the buffer?
bool ends_with_a_pitch(const Block& block) {
  const std::size_t rows = block.rows + (before_wrap(block) < block.row_bytes ? 1 : 0);
  return (block.offset / block.pitch + rows) * block.pitch <=
         block.memory->buffer().getInfo<CL_MEM_SIZE>();
}

/// Splits blocks of one shape into parts that take one command each: a rectangle within the
/// buffer's rows. Rows that cross the end of a buffer row are cut there; the last row is separate
/// if its pitch does not end within the buffer, since NVIDIA's driver 580 rejects that.
std::vector<Part> parts(std::initializer_list<Block> blocks) {
  const Block& shape = *blocks.begin();
  if (std::ranges::all_of(blocks, dense)) return {{0, 0, shape.rows, shape.row_bytes}};
  std::vector<std::size_t> edges = {shape.row_bytes};
  for (const Block& block : blocks) edges.push_back(before_wrap(block));
  std::ranges::sort(edges);
  const std::size_t rows =
      std::ranges::all_of(blocks, ends_with_a_pitch) ? shape.rows : shape.rows - 1;
  std::vector<Part> all;
  std::size_t byte = 0;
  for (const std::size_t edge : edges) {
    if (edge > byte) all.push_back({0, byte, rows, edge - byte});
    byte = edge;
  }
  if (rows < shape.rows) all.push_back({rows, 0, 1, shape.row_bytes});
  return all;
}

/// The offset of a part in dense host memory.
std::size_t host_offset(const Block& block, const Part& part) {
  return part.row * block.row_bytes + part.byte;
}

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
    staging.open_all();  // the submission's end waits for the device
    throw;
  }
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
        const std::vector<Block> all = chunks(to);
        Staging staging(stream, all.size());
        const auto* source = static_cast<const std::byte*>(from);
        const auto fill = [&](std::size_t i) {
          std::memcpy(staging.slot(i), source, bytes(all[i]));
          source += bytes(all[i]);
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
      },
      [&] { return doing("writing", to); });
  stream.report_failure();
}

void read(Stream& stream, const Block& from, void* to) {
  if (empty(from)) return;
  with_opencl_errors(
      [&] {
        const std::vector<Block> all = chunks(from);
        Staging staging(stream, all.size());
        const std::vector<Event> copied =
            submit_chunks(stream, {from.memory, Access::read}, staging, all, enqueue_read);
        auto* target = static_cast<std::byte*>(to);
        for (std::size_t i = 0; i < all.size(); i++) {
          copied[i].wait();
          std::memcpy(target, staging.slot(i), bytes(all[i]));
          target += bytes(all[i]);
          staging.open(i + Staging::kSlots);
        }
        staging.end();
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
