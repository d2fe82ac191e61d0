// Enqueueing an operation's commands with the events before and after them.
#include "runtime/submission.hpp"

#include <fmt/format.h>

#include <map>

namespace tessera::inline v0::runtime {

Submission::Submission(Stream& stream, std::vector<Operand> operands,
                       const std::vector<Event>& wait_for)
    : stream_(&stream), lock_(stream.mutex_), operands_(std::move(operands)) {
  hold_operands();
  for (const Operand& operand : operands_)
    operand.memory->uses().dependencies(stream, operand.access, before_);
  for (const Event& event : wait_for) {
    if (event.handle() != nullptr) before_.emplace_back(event.handle(), true);
  }
}

void Submission::hold_operands() {
  // In the order of their addresses, so that no two operations wait for each other; a buffer that
  // is read and written is held for writing.
  std::map<BufferUses*, Access> all_uses;
  for (const Operand& operand : operands_) {
    const auto [place, is_new] = all_uses.try_emplace(&operand.memory->uses(), operand.access);
    if (!is_new && operand.access == Access::write) place->second = Access::write;
  }
  for (const auto& [uses, access] : all_uses) {
    if (access == Access::write) {
      writing_.emplace_back(uses->enqueueing());
    } else {
      reading_.emplace_back(uses->enqueueing());
    }
  }
}

Submission::~Submission() {
  // An operation that failed half-way: what was enqueued of it still uses the operands, on the host
  // too.
  if (!finished_ && last_() != nullptr) clFinish(stream_->queue()());
  stream_->scratch_.release();
}

cl::Buffer Submission::scratch(std::uint64_t bytes, const std::string& what) {
  return with_opencl_errors([&] { return stream_->scratch_.buffer(bytes, what); },
                            [&] { return "scratch memory for " + what; });
}

cl::Image2D Submission::scratch_image(cl::ImageFormat format, std::size_t width, std::size_t height,
                                      const std::string& what) {
  return with_opencl_errors(
      [&] { return stream_->scratch_.image(format, width, height, what); },
      [&] { return fmt::format("a scratch image of {} x {} pixels for {}", width, height, what); });
}

void Submission::enqueue(Kernel& kernel, const Grid& grid) {
  const auto& [groups, group] = grid;
  with_opencl_errors(
      [&] {
        stream_->queue().enqueueNDRangeKernel(
            kernel.handle, cl::NullRange, cl::NDRange(groups[0] * group[0], groups[1] * group[1]),
            cl::NDRange(group[0], group[1]), nullptr, next_event());
      },
      [&] {
        return fmt::format("kernel {} on {} x {} work-groups of {} x {}", kernel.name, groups[0],
                           groups[1], group[0], group[1]);
      });
}

cl::Event* Submission::next_event() {
  if (!before_.empty()) {
    with_opencl_errors([&] { stream_->queue().enqueueBarrierWithWaitList(&before_); },
                       [] { return std::string("waiting for other streams"); });
    before_.clear();
  }
  // Not a copy assignment: CLHPP would release what it failed to retain.
  if (first_() == nullptr && last_() != nullptr) first_ = cl::Event(last_);
  return &last_;
}

std::pair<Event, Event> Submission::finish() {
  if (last_() == nullptr) {
    command([](const cl::CommandQueue& queue,
               cl::Event* event) { queue.enqueueMarkerWithWaitList(nullptr, event); },
            "marking the queue");
  }
  return with_opencl_errors(
      [&] {
        stream_->queue().flush();
        for (const Operand& operand : operands_)
          operand.memory->uses().record(*stream_, operand.access, last_);
        stream_->note(last_);
        std::pair<Event, Event> events(first_() != nullptr ? first_() : last_(), last_());
        finished_ = true;
        return events;
      },
      [] { return std::string("flushing the queue"); });
}

}  // namespace tessera::inline v0::runtime
