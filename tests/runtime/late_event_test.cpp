// Operations whose last command gets an event only when it is needed, as on NVIDIA's devices.
#include <gtest/gtest.h>

#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "runtime/event_state.hpp"
#include "runtime/stream.hpp"
#include "support/watchdog.hpp"
#include "tessera/detail/access.hpp"

namespace tessera::test {
namespace {

class LateEventTest : public testing::Test {
 protected:
  LateEventTest() { runtime::stream_of(engine_).commands().let_kernels_lack_events(); }

  KernelRun multiply_with(const MultiplyOptions& options = {}) {
    MultiplyOptions by_naive = options;
    by_naive.kernel = {"naive"};
    return multiply_into(c_, a_, a_, by_naive);
  }
  cl::UserEvent gate() const { return cl::UserEvent(cl::Context(interop::context(engine_), true)); }

  Engine engine_;
  Matrix<float> a_ = Matrix<float>(engine_, {{1, 2}, {3, 4}}), c_ = Matrix<float>(engine_, 2, 2);
};

bool ended_without_event(const Event& event) {
  return detail::Access::state(event)->last_succeeded;
}

TEST_F(LateEventTest, AWaitNeedsNone) {
  watched([&] {
    for (int i = 0; i < 2; i++) {
      const Event finished = multiply_with().finished;
      finished.wait();
      EXPECT_TRUE(ended_without_event(finished));
      EXPECT_TRUE(finished.complete());
    }
  });
  EXPECT_EQ(c_.to_host(), (std::vector<float>{7, 10, 15, 22}));
}

TEST_F(LateEventTest, NorDoesAStreamThatEnds) {
  watched([&] {
    const Event finished = multiply_with().finished;
    engine_.stream().finish();
    EXPECT_TRUE(ended_without_event(finished));
  });
}

TEST_F(LateEventTest, AQueryDoes) {
  watched([&] {
    const Event finished = multiply_with().finished;
    while (!finished.complete()) std::this_thread::yield();
    EXPECT_FALSE(ended_without_event(finished));
  });
}

TEST_F(LateEventTest, AnOperationDoesNotWaitForThoseAfterIt) {
  watched([&] {
    cl::UserEvent later = gate();
    const Event first = multiply_with().finished,
                second = multiply_with({.wait_for = {interop::event(later())}}).finished;
    first.wait();
    EXPECT_FALSE(second.complete());
    later.setStatus(CL_COMPLETE);
    second.wait();
  });
}

TEST_F(LateEventTest, NorForCommandsOfAnApplication) {
  watched([&] {
    const cl::CommandQueue queue(interop::queue(engine_.stream()), true);
    cl::UserEvent later = gate();
    const Event first = multiply_with().finished;
    const std::vector<cl::Event> wait_for = {later};
    queue.enqueueBarrierWithWaitList(&wait_for);
    first.wait();
    later.setStatus(CL_COMPLETE);
    queue.finish();
  });
}

TEST_F(LateEventTest, OtherStreamsWaitForIt) {
  watched([&] {
    const Stream other = engine_.new_stream();
    Matrix<float> d(engine_, 2, 2);
    multiply_with();
    multiply_into(d, c_, a_, {.kernel = {"naive"}, .stream = other}).finished.wait();
    EXPECT_EQ(d.to_host(), (std::vector<float>{37, 54, 81, 118}));
  });
}

TEST_F(LateEventTest, AFailureBeforeItIsReported) {
  watched([&] {
    cl::UserEvent failed = gate();
    const Event finished = multiply_with({.wait_for = {interop::event(failed())}}).finished;
    failed.setStatus(CL_OUT_OF_RESOURCES);
    EXPECT_THROW(finished.wait(), OpenClError);
    EXPECT_THROW(engine_.stream().finish(), OpenClError);
  });
  EXPECT_NO_THROW(engine_.stream().finish()) << "told twice";
}

TEST_F(LateEventTest, AnEventOutlivesItsMatricesAndEngine) {
  watched([&] {
    Event finished;
    {
      const Engine engine;
      runtime::stream_of(engine).commands().let_kernels_lack_events();
      const Matrix<float> a(engine, {{1, 2}, {3, 4}});
      Matrix<float> c(engine, 2, 2);
      finished = multiply_into(c, a, a, {.kernel = {"naive"}}).finished;
    }
    finished.wait();
    EXPECT_NE(interop::handle(finished), nullptr) << "an event can be made after that, too";
  });
}

}  // namespace
}  // namespace tessera::test
