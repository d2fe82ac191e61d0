// Copies of blocks: by the host where memory is shared, else through slots, or by the device.
#include "runtime/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/chunks.hpp"
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
             Enqueue&& enqueue, const std::vector<Event>& wait_for = {}) {
  return with_opencl_errors(
      [&] {
        Submission submission(stream, std::move(operands), wait_for);
        enqueue(submission);
        return submission.finish().second;
      },
      [&] { return doing(what, block); });
}

/// Enqueues what writes a block, each command by `command(call)`, which calls `call(queue, event)`.
template <class Command>
void enqueue_write(const Block& to, const std::byte* from, Command&& command) {
  const cl::Buffer& buffer = to.memory->buffer();
  for (const Part& part : parts({to})) {
    const Block piece = within(to, part);
    const auto* const source = from + host_offset(to, part);
    command([&](const cl::CommandQueue& queue, cl::Event* event) {
      if (dense(to) || part.rows == 1) {
        queue.enqueueWriteBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), source, nullptr,
                                 event);
      } else {
        queue.enqueueWriteBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                     to.pitch, 0, to.row_bytes, 0, source, nullptr, event);
      }
    });
  }
}

template <class Command>
void enqueue_read(const Block& from, std::byte* to, Command&& command) {
  const cl::Buffer& buffer = from.memory->buffer();
  for (const Part& part : parts({from})) {
    const Block piece = within(from, part);
    auto* const target = to + host_offset(from, part);
    command([&](const cl::CommandQueue& queue, cl::Event* event) {
      if (dense(from) || part.rows == 1) {
        queue.enqueueReadBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), target, nullptr,
                                event);
      } else {
        queue.enqueueReadBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                    from.pitch, 0, from.row_bytes, 0, target, nullptr, event);
      }
    });
  }
}

/// What lasting() does where commands run in the caller's thread: nothing else is enqueued
/// meanwhile.
template <class Begin, class Work, class End>
void lasting_alone(Stream& stream, Operand operand, Begin&& begin, Work&& work, End&& end) {
  Submission submission(stream, {operand});
  begin(submission);
  stream.queue().flush();
  submission.last().wait();
  work();
  end(submission);
  submission.finish().second.wait();
}

/// An operation of the stream that lasts while the host does `work()`; `begin(submission)` and
/// `end(submission)` enqueue its first and its last command.
template <class Begin, class Work, class End>
void lasting(Stream& stream, Operand operand, Begin&& begin, Work&& work, End&& end) {
  if (runs_in_caller(stream.context().device().info))
    return lasting_alone(stream, operand, begin, work, end);
  Gate gate(stream.context());
  Event begun;
  {
    Submission submission(stream, {operand});
    try {
      begin(submission);
      begun = submission.last();
      submission.wait_for(gate.event());
      end(submission);
      submission.finish();
    } catch (...) {
      gate.open_at_last();  // the submission's end waits for the device
      throw;
    }
  }
  begun.wait();
  work();
  gate.open();
}

/// Maps the rows, of a device that shares the host's memory, for `copy(row, offset in dense host
/// memory, bytes)`.
template <class Copy>
void map_rows(Stream& stream, const Block& block, Access access, Copy&& copy) {
  const cl::Buffer& buffer = block.memory->buffer();
  std::byte* rows = nullptr;
  lasting(
      stream, {block.memory, access},
      [&](Submission& submission) {
        submission.command(
            [&](const cl::CommandQueue& queue, cl::Event* event) {
              rows = static_cast<std::byte*>(queue.enqueueMapBuffer(
                  buffer, CL_FALSE, access == Access::read ? CL_MAP_READ : CL_MAP_WRITE,
                  block.offset, (block.rows - 1) * block.pitch + block.row_bytes, nullptr, event));
            },
            doing("mapping", block));
      },
      [&] {
        if (dense(block)) return copy(rows, 0, bytes(block));
        for (std::size_t i = 0; i < block.rows; i++)
          copy(rows + i * block.pitch, i * block.row_bytes, block.row_bytes);
      },
      [&](Submission& submission) {
        submission.command(
            [&](const cl::CommandQueue& queue, cl::Event* event) {
              queue.enqueueUnmapMemObject(buffer, rows, nullptr, event);
            },
            doing("unmapping", block));
      });
}

/// `begin(submission)` comes before the commands.
template <class Begin>
Event submit_read(Stream& stream, const Block& from, std::byte* to, Begin&& begin) {
  return submit(
      stream, {{from.memory, Access::read}}, "reading", from, [&](Submission& submission) {
        begin(submission);
        enqueue_read(from, to,
                     [&](auto&& call) { submission.command(call, doing("reading", from)); });
      });
}

/// Whether the host itself copies the block. A few bytes are copied twice, since a mapping costs
/// more.
bool is_mapped(const Stream& stream, const Block& block) {
  constexpr std::size_t kMinimum = std::size_t{128} << 10;
  return stream.context().device().shares_host_memory && bytes(block) >= kMinimum;
}

/// A transfer of a block in chunks, which go through slots by queues of their own.
void transfer_chunks(Stream& stream, const Block& block, Access access,
                     const std::vector<Chunk>& chunks, const CopyChunk& copy) {
  const auto mark = [&](Submission& submission) {
    submission.command([](const cl::CommandQueue& queue,
                          cl::Event* event) { queue.enqueueMarkerWithWaitList(nullptr, event); },
                       doing("marking", block));
  };
  lasting(
      stream, {block.memory, access}, mark, [&] { copy_chunks(stream.context(), chunks, copy); },
      mark);
}

/// Waits for what `enqueue(command)` enqueues on the slot's queue by `command(call)`.
template <class Enqueue>
void run(Staging& staging, Enqueue&& enqueue) {
  staging.used_on(staging.queue(), [&] {
    std::vector<cl::Event> events;
    enqueue([&](auto&& call) { call(staging.queue(), &events.emplace_back()); });
    staging.queue().flush();
    for (const cl::Event& event : events) Event(event()).wait();
  });
}

void write_staged(Stream& stream, const Block& to, const std::byte* from) {
  const std::vector<Chunk> all = chunks(to);
  if (all.size() > 1) {
    return transfer_chunks(
        stream, to, Access::write, all, [&](Staging& staging, const Chunk& chunk) {
          std::memcpy(staging.data(), from + chunk.host_offset, bytes(chunk.block));
          run(staging,
              [&](auto&& command) { enqueue_write(chunk.block, staging.data(), command); });
        });
  }
  Staging staging(stream.context());
  std::memcpy(staging.data(), from, bytes(to));
  staging.used_on(stream.queue(), [&] { write_async(stream, to, staging.data()).wait(); });
}

void read_staged(Stream& stream, const Block& from, std::byte* to) {
  const std::vector<Chunk> all = chunks(from);
  if (all.size() > 1) {
    return transfer_chunks(
        stream, from, Access::read, all, [&](Staging& staging, const Chunk& chunk) {
          run(staging, [&](auto&& command) { enqueue_read(chunk.block, staging.data(), command); });
          std::memcpy(to + chunk.host_offset, staging.data(), bytes(chunk.block));
        });
  }
  Staging staging(stream.context());
  staging.used_on(stream.queue(), [&] {
    submit_read(stream, from, staging.data(), [](Submission&) {}).wait();  // read() reports others
  });
  std::memcpy(to, staging.data(), bytes(from));
}

}  // namespace

Event write_async(Stream& stream, const Block& to, const void* from) {
  if (empty(to)) return {};
  return submit(stream, {{to.memory, Access::write}}, "writing", to, [&](Submission& submission) {
    enqueue_write(to, static_cast<const std::byte*>(from),
                  [&](auto&& call) { submission.command(call, doing("writing", to)); });
  });
}

Event read_async(Stream& stream, const Block& from, void* to) {
  if (empty(from)) return {};
  return submit_read(stream, from, static_cast<std::byte*>(to),
                     [](Submission& submission) { submission.report_others(); });
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

Event copy(Stream& stream, const Block& from, const Block& to, const std::vector<Event>& wait_for) {
  if (empty(from)) return {};
  return submit(
      stream, {{from.memory, Access::read}, {to.memory, Access::write}}, "copying", from,
      [&](Submission& submission) {
        const cl::Buffer &source = from.memory->buffer(), &target = to.memory->buffer();
        for (const Part& part : parts({from, to})) {
          const Block piece = within(from, part), place = within(to, part);
          submission.command(
              [&](const cl::CommandQueue& queue, cl::Event* event) {
                if ((dense(from) && dense(to)) || part.rows == 1) {
                  queue.enqueueCopyBuffer(source, target, piece.offset, place.offset, bytes(piece),
                                          nullptr, event);
                } else {
                  queue.enqueueCopyBufferRect(source, target, origin(piece), origin(place),
                                              region(piece), from.pitch, 0, to.pitch, 0, nullptr,
                                              event);
                }
              },
              doing("copying", from));
        }
      },
      wait_for);
}

}  // namespace tessera::inline v0::runtime
