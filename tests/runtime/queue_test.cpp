// Queues: failures that they remember.
#include "runtime/queue.hpp"

#include <gtest/gtest.h>

#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "runtime/stream.hpp"

namespace tessera::test {
namespace {

TEST(QueueTest, ACommandFailsBeforeAnotherQueuesHasEnded) {
  const Engine engine;
  const cl::Context context(interop::context(engine), true);
  cl::UserEvent running(context), failed(context);
  runtime::Queue queue(cl::CommandQueue(interop::queue(engine), true));
  queue.note(interop::event(running()));
  queue.note(interop::event(failed()));
  EXPECT_NO_THROW(queue.report_failure());
  failed.setStatus(CL_OUT_OF_RESOURCES);
  EXPECT_THROW(queue.report_failure(), OpenClError);
  running.setStatus(CL_COMPLETE);
  EXPECT_NO_THROW(queue.report_failure()) << "told twice";
}

// A matrix may hold what a stream wrote that is gone.
TEST(QueueTest, AFailureOutlivesItsStream) {
  const Engine engine;
  const Matrix<float> a(engine, 1, 2, std::vector<float>{1, 2});
  const cl::Context context(interop::context(engine), true);
  for (const bool ends_before : {false, true}) {
    cl::UserEvent failed(context);
    {
      const Stream other = engine.new_stream();
      runtime::stream_of(other).commands().note(interop::event(failed()));
      if (ends_before) failed.setStatus(CL_OUT_OF_RESOURCES);
    }
    if (!ends_before) {
      EXPECT_NO_THROW(a.to_host()) << "it still runs";
      engine.new_stream();
      failed.setStatus(CL_OUT_OF_RESOURCES);
    }
    EXPECT_THROW(a.to_host(), OpenClError) << ends_before;
    EXPECT_NO_THROW(a.to_host()) << "told twice";
  }
}

// Counters of a kernel that failed half-way would break the next kernel's sums.
TEST(QueueTest, CountersAreMadeAnewAfterAFailure) {
  const Engine engine;
  runtime::Stream& stream = runtime::stream_of(engine);
  const cl::Buffer before = stream.counters();
  EXPECT_EQ(stream.counters()(), before());
  const cl_uint left = 1;
  stream.queue().enqueueWriteBuffer(before, CL_TRUE, 0, sizeof left, &left);
  cl::UserEvent failed{cl::Context(interop::context(engine), true)};
  stream.commands().note(interop::event(failed()));
  failed.setStatus(CL_OUT_OF_RESOURCES);
  EXPECT_THROW(stream.report_failure(), OpenClError);
  const cl::Buffer after = stream.counters();
  cl_uint count = 77;
  stream.queue().enqueueReadBuffer(after, CL_TRUE, 0, sizeof count, &count);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(stream.counters()(), after()) << "once";
}

// Of its own stream as of another: each time it is asked, whoever else was told, and each copy.
TEST(QueueTest, AnAsynchronousReadTellsWhatFailedBefore) {
  for (const bool on_another : {false, true}) {
    const Engine engine;
    const Matrix<float> a(engine, 1, 2, std::vector<float>{1, 2});
    std::vector<float> one(2), two(2), three(2);
    const Stream other = engine.new_stream();
    const cl::Context context(interop::context(engine), true);
    cl::UserEvent before(context), after(context);
    runtime::Queue& queue = runtime::stream_of(on_another ? other : engine.stream()).commands();
    queue.note(interop::event(before()));
    const Event first = a.to_host_async(one), second = a.to_host_async(two), copy = first;
    queue.note(interop::event(after()));
    first.wait();
    EXPECT_TRUE(first.complete()) << "what has not failed may still run";
    after.setStatus(CL_OUT_OF_RESOURCES);
    EXPECT_NO_THROW(first.wait()) << "enqueued later";
    before.setStatus(CL_OUT_OF_RESOURCES);
    EXPECT_THROW(engine.finish(), OpenClError);
    for (const Event& event : {first, second, copy, first}) {
      EXPECT_THROW(event.wait(), OpenClError) << on_another;
      EXPECT_THROW(event.complete(), OpenClError) << on_another;
    }
    other.wait_for({first});
    EXPECT_EQ(a.copy_to(other).to_host(), (std::vector<float>{1, 2}))
        << "the copy itself succeeded";
    EXPECT_NO_THROW(a.to_host_async(three).wait()) << "it was reported";
  }
}

TEST(QueueTest, AnAsynchronousReadIsRefusedAfterAFailure) {
  const Engine engine;
  const Matrix<float> a(engine, 1, 2, std::vector<float>{1, 2});
  std::vector<float> elements(2);
  const cl::Context context(interop::context(engine), true);
  cl::UserEvent failed(context);
  runtime::stream_of(engine).commands().note(interop::event(failed()));
  failed.setStatus(CL_OUT_OF_RESOURCES);
  EXPECT_THROW(a.to_host_async(elements), OpenClError);
  EXPECT_NO_THROW(a.to_host_async(elements).wait());
  EXPECT_EQ(elements, (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace tessera::test
