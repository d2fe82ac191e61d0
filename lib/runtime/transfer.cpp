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
void enqueue_write(const Block& to, const Source& from, Command&& command) {
  const cl::Buffer& buffer = to.memory->buffer();
  const bool is_dense = dense(to, from);
  for (const Part& part : parts({to}, !is_dense)) {
    const Block piece = within(to, part);
    command([&](const cl::CommandQueue& queue, cl::Event* event) {
      if (is_dense || part.rows == 1) {
        queue.enqueueWriteBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), from.at(part),
                                 nullptr, event);
      } else {
        queue.enqueueWriteBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                     to.pitch, 0, from.pitch, 0, from.at(part), nullptr, event);
      }
    });
  }
}

template <class Command>
void enqueue_read(const Block& from, const Target& to, Command&& command) {
  const cl::Buffer& buffer = from.memory->buffer();
  const bool is_dense = dense(from, to);
  for (const Part& part : parts({from}, !is_dense)) {
    const Block piece = within(from, part);
    command([&](const cl::CommandQueue& queue, cl::Event* event) {
      if (is_dense || part.rows == 1) {
        queue.enqueueReadBuffer(buffer, CL_FALSE, piece.offset, bytes(piece), to.at(part), nullptr,
                                event);
      } else {
        queue.enqueueReadBufferRect(buffer, CL_FALSE, origin(piece), {0, 0, 0}, region(piece),
                                    from.pitch, 0, to.pitch, 0, to.at(part), nullptr, event);
      }
    });
  }
}

/// Copies the rows of a block between two places in host memory.
void copy_rows(const Block& block, const Target& to, const Source& from) {
  if (to.pitch == block.row_bytes && from.pitch == block.row_bytes) {
    std::memcpy(to.data, from.data, bytes(block));
    return;
  }
  for (std::size_t i = 0; i < block.rows; i++)
    std::memcpy(to.data + i * to.pitch, from.data + i * from.pitch, block.row_bytes);
}

/// Does the same as lasting() without a user event. Meanwhile other threads' operations on the
/// stream, or on the operand, wait on the host.
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
  const DeviceInfo& device = stream.context().device().info;
  if (runs_in_caller(device) || (user_events_linger(device) && stream.commands().is_private()))
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

/// Maps the rows of a block, on a device that shares the host's memory, for `copy(first row)`.
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
      [&] { copy(rows); },
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
Event submit_read(Stream& stream, const Block& from, const Target& to, Begin&& begin) {
  return submit(
      stream, {{from.memory, Access::read}}, "reading", from, [&](Submission& submission) {
        begin(submission);
        enqueue_read(from, to,
                     [&](auto&& call) { submission.command(call, doing("reading", from)); });
      });
}

/// Returns whether the host itself copies the block. A small block is copied twice, because a
/// mapping costs more.
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

/// Waits for the commands that `enqueue(command)` enqueues on the slot's queue by `command(call)`.
template <class Enqueue>
void run(Staging& staging, Enqueue&& enqueue) {
  staging.used_on(staging.queue(), [&] {
    std::vector<cl::Event> events;
    enqueue([&](auto&& call) { call(staging.queue(), &events.emplace_back()); });
    staging.queue().flush();
    for (const cl::Event& event : events) event_of(event()).wait();
  });
}

/// The rows of a slot that holds a chunk.
Target rows_in(const Staging& staging, const Block& chunk) {
  return {staging.data(), chunk.row_bytes};
}
Source as_source(const Target& rows) { return {rows.data, rows.pitch}; }

void write_staged(Stream& stream, const Block& to, const Source& from) {
  const std::vector<Chunk> all = chunks(to, from.pitch);
  if (all.size() > 1) {
    return transfer_chunks(
        stream, to, Access::write, all, [&](Staging& staging, const Chunk& chunk) {
          const Target slot = rows_in(staging, chunk.block);
          copy_rows(chunk.block, slot, {from.data + chunk.host_offset, from.pitch});
          run(staging,
              [&](auto&& command) { enqueue_write(chunk.block, as_source(slot), command); });
        });
  }
  Staging staging(stream.context());
  const Target slot = rows_in(staging, to);
  copy_rows(to, slot, from);
  staging.used_on(stream.queue(), [&] { write_async(stream, to, as_source(slot)).wait(); });
}

void read_staged(Stream& stream, const Block& from, const Target& to) {
  const std::vector<Chunk> all = chunks(from, to.pitch);
  if (all.size() > 1) {
    return transfer_chunks(
        stream, from, Access::read, all, [&](Staging& staging, const Chunk& chunk) {
          const Target slot = rows_in(staging, chunk.block);
          run(staging, [&](auto&& command) { enqueue_read(chunk.block, slot, command); });
          copy_rows(chunk.block, {to.data + chunk.host_offset, to.pitch}, as_source(slot));
        });
  }
  Staging staging(stream.context());
  const Target slot = rows_in(staging, from);
  staging.used_on(stream.queue(), [&] {
    submit_read(stream, from, slot, [](Submission&) {}).wait();  // read() reports others
  });
  copy_rows(from, to, as_source(slot));
}

}  // namespace

Event write_async(Stream& stream, const Block& to, const Source& from) {
  if (empty(to)) return {};
  return submit(stream, {{to.memory, Access::write}}, "writing", to, [&](Submission& submission) {
    enqueue_write(to, from, [&](auto&& call) { submission.command(call, doing("writing", to)); });
  });
}

Event read_async(Stream& stream, const Block& from, const Target& to) {
  if (empty(from)) return {};
  return submit_read(stream, from, to, [](Submission& submission) { submission.report_others(); });
}

void write(Stream& stream, const Block& to, const Source& from) {
  if (empty(to)) return;
  with_opencl_errors(
      [&] {
        if (!is_mapped(stream, to)) return write_staged(stream, to, from);
        map_rows(stream, to, Access::write, [&](std::byte* first) {
          copy_rows(to, {first, to.pitch}, from);
        });
      },
      [&] { return doing("writing", to); });
  stream.report_failure();
}

void read(Stream& stream, const Block& from, const Target& to) {
  if (empty(from)) return;
  with_opencl_errors(
      [&] {
        if (!is_mapped(stream, from)) return read_staged(stream, from, to);
        map_rows(stream, from, Access::read, [&](const std::byte* first) {
          copy_rows(from, to, {first, from.pitch});
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
