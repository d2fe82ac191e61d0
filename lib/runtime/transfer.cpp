// Copies of blocks, as one piece where the rows lie end to end.
#include "runtime/transfer.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "runtime/submission.hpp"

namespace tessera::inline v0::runtime {
namespace {

using Sizes = std::array<std::size_t, 3>;

bool dense(const Block& block) { return block.rows == 1 || block.pitch == block.row_bytes; }
bool empty(const Block& block) { return block.rows == 0 || block.row_bytes == 0; }
std::size_t bytes(const Block& block) { return block.rows * block.row_bytes; }
Sizes origin(const Block& block) {
  return {block.offset % block.pitch, block.offset / block.pitch, 0};
}
Sizes region(const Block& block) { return {block.row_bytes, block.rows, 1}; }

/// One command on the operands, `call(queue, event)`; `what` is done to `block`, for an error.
template <class Call>
Event submit(Stream& stream, std::vector<Operand> operands, const char* what, const Block& block,
             Call&& call) {
  const auto doing = [&] {
    return fmt::format("{} {} rows of {} bytes", what, block.rows, block.row_bytes);
  };
  return translated(
      [&] {
        Submission submission(stream, std::move(operands));
        submission.command(call, doing());
        return submission.finish().second;
      },
      doing);
}

}  // namespace

Event write(Stream& stream, const Block& to, const void* from) {
  if (empty(to)) return {};
  return submit(
      stream, {{to.memory, Access::write}}, "writing", to,
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        const cl::Buffer& buffer = to.memory->buffer();
        if (dense(to)) {
          queue.enqueueWriteBuffer(buffer, CL_FALSE, to.offset, bytes(to), from, nullptr, event);
        } else {
          queue.enqueueWriteBufferRect(buffer, CL_FALSE, origin(to), {0, 0, 0}, region(to),
                                       to.pitch, 0, to.row_bytes, 0, from, nullptr, event);
        }
      });
}

void wait_for_host(Stream& stream, const Event& copied) {
  try {
    copied.wait();
  } catch (...) {
    clFinish(stream.queue()());
    throw;
  }
  stream.tell_failure();
}

void read(Stream& stream, const Block& from, void* to) {
  if (empty(from)) return;
  const Event copied = submit(
      stream, {{from.memory, Access::read}}, "reading", from,
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        const cl::Buffer& buffer = from.memory->buffer();
        if (dense(from)) {
          queue.enqueueReadBuffer(buffer, CL_FALSE, from.offset, bytes(from), to, nullptr, event);
        } else {
          queue.enqueueReadBufferRect(buffer, CL_FALSE, origin(from), {0, 0, 0}, region(from),
                                      from.pitch, 0, from.row_bytes, 0, to, nullptr, event);
        }
      });
  wait_for_host(stream, copied);
}

Event copy(Stream& stream, const Block& from, const Block& to) {
  if (empty(from)) return {};
  return submit(stream, {{from.memory, Access::read}, {to.memory, Access::write}}, "copying", from,
                [&](const cl::CommandQueue& queue, cl::Event* event) {
                  const cl::Buffer& source = from.memory->buffer();
                  const cl::Buffer& target = to.memory->buffer();
                  if (dense(from) && dense(to)) {
                    queue.enqueueCopyBuffer(source, target, from.offset, to.offset, bytes(from),
                                            nullptr, event);
                  } else {
                    queue.enqueueCopyBufferRect(source, target, origin(from), origin(to),
                                                region(from), from.pitch, 0, to.pitch, 0, nullptr,
                                                event);
                  }
                });
}

}  // namespace tessera::inline v0::runtime
