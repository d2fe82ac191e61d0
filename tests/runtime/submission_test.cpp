// Submissions that unlock their stream while the host waits.
#include "runtime/submission.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "operands/element.hpp"
#include "support/watchdog.hpp"

namespace tessera::test {
namespace {

using runtime::Access;
using runtime::Submission;

constexpr std::size_t kBytes = 8192;

void fill(Submission& submission, const cl::Buffer& buffer, std::uint8_t value) {
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueFillBuffer(buffer, value, 0, kBytes, nullptr, event);
      },
      "filling");
}

std::vector<std::byte> read(Submission& submission, const cl::Buffer& buffer) {
  std::vector<std::byte> bytes(kBytes);
  submission.read(buffer, 0, bytes, "reading");
  return bytes;
}

TEST(SubmissionTest, LastingScratchMemoryStaysWithItsOperation) {
  const Engine engine;
  runtime::Stream& stream = runtime::stream_of(engine);
  const std::vector<std::byte> ones(kBytes, std::byte{1});
  watched([&] {
    cl::Buffer lasting;
    {
      Submission submission(stream, {});
      lasting = submission.lasting_scratch(kBytes, "test");
      const auto passing = submission.scratch(kBytes, "test");
      fill(submission, lasting, 1);
      EXPECT_EQ(read(submission, lasting), ones);
      {
        Submission other(stream, {});
        const auto first = other.scratch(kBytes, "test"), second = other.scratch(kBytes, "test");
        EXPECT_EQ(first(), passing()) << "it is idle after read()";
        fill(other, first, 2);
        fill(other, second, 2);
        other.finish();
      }
      EXPECT_EQ(read(submission, lasting), ones);
      submission.finish();
    }
    Submission next(stream, {});
    std::set<cl_mem> all;
    for (int i = 0; i < 3; i++) all.insert(next.scratch(kBytes, "test")());
    EXPECT_TRUE(all.contains(lasting())) << "it is idle after the operation";
  });
}

/// Operations of other streams on an operand are in order with each batch of commands.
TEST(SubmissionTest, ACommandAfterAReadWaitsForOtherStreams) {
  const Engine engine;
  const Stream other = engine.new_stream();
  const Matrix<std::int32_t> a(engine, 1, 1, std::vector<std::int32_t>{1});
  const auto& memory = detail::operand(a).memory;
  watched([&] {
    Submission submission(runtime::stream_of(engine), {{memory.get(), Access::read}});
    const auto copy = submission.lasting_scratch(sizeof(std::int32_t), "test");
    const auto copied = [&] {
      submission.command(
          [&](const cl::CommandQueue& queue, cl::Event* event) {
            queue.enqueueCopyBuffer(memory->buffer(), copy, 0, 0, sizeof(std::int32_t), nullptr,
                                    event);
          },
          "copying");
      std::int32_t value = 0;
      submission.read(copy, 0, std::as_writable_bytes(std::span(&value, 1)), "reading");
      return value;
    };
    EXPECT_EQ(copied(), 1);
    cl::UserEvent gate(cl::Context(interop::context(engine), true));
    other.wait_for({interop::event(gate())});
    const std::vector<std::int32_t> two = {2};
    {
      Submission write(runtime::stream_of(other), {{memory.get(), Access::write}});
      write.command(
          [&](const cl::CommandQueue& queue, cl::Event* event) {
            queue.enqueueWriteBuffer(memory->buffer(), CL_FALSE, 0, sizeof(std::int32_t),
                                     two.data(), nullptr, event);
          },
          "writing");
      write.finish();
    }
    gate.setStatus(CL_COMPLETE);
    EXPECT_EQ(copied(), 2);
    const auto [started, finished] = submission.finish();
    EXPECT_NO_THROW(finished.wait());
    EXPECT_NE(interop::handle(started), interop::handle(finished));
  });
}

// One event is behind all kernels of an operation, and of a part of it that ends with a read.
TEST(SubmissionTest, KernelsMayLackEvents) {
  const Engine engine;
  runtime::Stream& stream = runtime::stream_of(engine);
  stream.commands().let_kernels_lack_events();
  const Matrix<float> one(engine, 1, 1, std::vector<float>{1}),
      a(engine, 2, 1, std::vector<float>{3, 4});
  Matrix<float> c(engine, 2, 1), d(engine, 2, 1);
  watched([&] {
    const KernelRun first = multiply_into(c, a, one, {.alpha = 2, .kernel = {"naive"}});
    EXPECT_NE(interop::handle(first.finished), nullptr);
    EXPECT_EQ(interop::handle(first.started), interop::handle(first.finished));
    const Stream other = engine.new_stream();
    multiply_into(d, c, one, {.kernel = {"naive"}, .stream = other}).finished.wait();
    EXPECT_TRUE(first.finished.complete());
  });
  EXPECT_EQ(d.to_host(), (std::vector<float>{6, 8}));
  const auto program = stream.context().programs().get(
      "operands/fill.cl", operands::element_option(ElementType::int32));
  constexpr std::size_t kCount = 64;
  const auto fill = [&](Submission& submission, const cl::Buffer& memory, cl_long low) {
    submission.launch(program->kernel("operands_fill"), {{1, 1}, {1, 1}}, cl_ulong{1},
                      cl_ulong{kCount}, low, cl_uint{63}, cl_uint{1}, memory);  // low and low + 1
  };
  watched([&] {
    Submission submission(stream, {});
    const auto memory = submission.lasting_scratch(kCount * sizeof(cl_uint), "test");
    for (const cl_long low : {10, 20}) fill(submission, memory, low);
    const auto [started, finished] = submission.finish();
    finished.wait();
    EXPECT_EQ(interop::handle(started), interop::handle(finished)) << "the first has no event";
  });
  watched([&] {
    Submission submission(stream, {});
    const auto memory = submission.lasting_scratch(kCount * sizeof(cl_uint), "test");
    for (const cl_long low : {10, 20}) {
      fill(submission, memory, low);
      std::vector<cl_uint> values(kCount);
      submission.read(memory, 0, std::as_writable_bytes(std::span(values)), "reading");
      for (const cl_uint value : values) EXPECT_EQ(value / 2, low / 2);
    }
    fill(submission, memory, 30);
    const auto [started, finished] = submission.finish();
    finished.wait();
    EXPECT_NE(interop::handle(started), interop::handle(finished)) << "reads have events";
  });
}

TEST(SubmissionTest, AFailureIsReportedAlthoughAnotherWasTold) {
  const Engine engine;
  cl::UserEvent failed(cl::Context(interop::context(engine), true));
  std::vector<std::byte> bytes(kBytes);
  watched([&] {
    Submission submission(runtime::stream_of(engine), {}, {interop::event(failed())});
    const auto memory = submission.lasting_scratch(kBytes, "test");
    fill(submission, memory, 1);
    submission.read_async(memory, 0, bytes, "reading");
    failed.setStatus(CL_OUT_OF_RESOURCES);
    EXPECT_THROW(engine.stream().finish(), OpenClError);
    EXPECT_THROW(submission.read(memory, 0, bytes, "reading"), OpenClError);
  });
  EXPECT_NO_THROW(engine.stream().finish()) << "told twice";
}

}  // namespace
}  // namespace tessera::test
