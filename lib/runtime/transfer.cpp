// Copies of blocks, as one piece where the rows lie end to end.
#include "runtime/transfer.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
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

/// All rows but the last, and the last.
std::vector<Block> cut_off_last(const Block& block) {
  Block first = block, last = block;
  first.rows--;
  last.rows = 1;
  last.offset += first.rows * block.pitch;
  return {first, last};
}

/// The block in pieces of which each whole row, as far as its pitch goes, lies within the buffer:
/// NVIDIA's driver 580 refuses rectangles that end before their last row's pitch does.
std::vector<Block> pieces(const Block& block) {
  if (dense(block)) return {block};
  const auto size = block.memory->buffer().getInfo<CL_MEM_SIZE>();
  const std::size_t end = (block.offset / block.pitch + block.rows) * block.pitch;
  return end <= size ? std::vector{block} : cut_off_last(block);
}

std::string doing(const char* what, const Block& block) {
  return fmt::format("{} {} rows of {} bytes", what, block.rows, block.row_bytes);
}

/// Commands on the operands, `enqueue(submission)`; `what` is done to `block`, for an error.
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

}  // namespace

Event write(Stream& stream, const Block& to, const void* from) {
  if (empty(to)) return {};
  return submit(stream, {{to.memory, Access::write}}, "writing", to, [&](Submission& submission) {
    const auto* next = static_cast<const std::byte*>(from);
    for (const Block& part : pieces(to)) {
      submission.command(
          [&](const cl::CommandQueue& queue, cl::Event* event) {
            const cl::Buffer& buffer = part.memory->buffer();
            if (dense(part)) {
              queue.enqueueWriteBuffer(buffer, CL_FALSE, part.offset, bytes(part), next, nullptr,
                                       event);
            } else {
              queue.enqueueWriteBufferRect(buffer, CL_FALSE, origin(part), {0, 0, 0}, region(part),
                                           part.pitch, 0, part.row_bytes, 0, next, nullptr, event);
            }
          },
          doing("writing", to));
      next += bytes(part);
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
  stream.commands().report_failure();
}

void read(Stream& stream, const Block& from, void* to) {
  if (empty(from)) return;
  const Event copied =
      submit(stream, {{from.memory, Access::read}}, "reading", from, [&](Submission& submission) {
        auto* next = static_cast<std::byte*>(to);
        for (const Block& part : pieces(from)) {
          submission.command(
              [&](const cl::CommandQueue& queue, cl::Event* event) {
                const cl::Buffer& buffer = part.memory->buffer();
                if (dense(part)) {
                  queue.enqueueReadBuffer(buffer, CL_FALSE, part.offset, bytes(part), next, nullptr,
                                          event);
                } else {
                  queue.enqueueReadBufferRect(buffer, CL_FALSE, origin(part), {0, 0, 0},
                                              region(part), part.pitch, 0, part.row_bytes, 0, next,
                                              nullptr, event);
                }
              },
              doing("reading", from));
          next += bytes(part);
        }
      });
  wait_for_host(stream, copied);
}

Event copy(Stream& stream, const Block& from, const Block& to) {
  if (empty(from)) return {};
  return submit(stream, {{from.memory, Access::read}, {to.memory, Access::write}}, "copying", from,
                [&](Submission& submission) {
                  // What one of the two is cut into the other is too.
                  const bool cut = pieces(from).size() > 1 || pieces(to).size() > 1;
                  const auto sources = cut ? cut_off_last(from) : std::vector{from};
                  const auto targets = cut ? cut_off_last(to) : std::vector{to};
                  for (std::size_t i = 0; i < sources.size(); i++) {
                    submission.command(
                        [&](const cl::CommandQueue& queue, cl::Event* event) {
                          const Block &part = sources[i], &place = targets[i];
                          const cl::Buffer& source = part.memory->buffer();
                          const cl::Buffer& target = place.memory->buffer();
                          if (dense(part) && dense(place)) {
                            queue.enqueueCopyBuffer(source, target, part.offset, place.offset,
                                                    bytes(part), nullptr, event);
                          } else {
                            queue.enqueueCopyBufferRect(source, target, origin(part), origin(place),
                                                        region(part), part.pitch, 0, place.pitch, 0,
                                                        nullptr, event);
                          }
                        },
                        doing("copying", from));
                  }
                });
}

}  // namespace tessera::inline v0::runtime
