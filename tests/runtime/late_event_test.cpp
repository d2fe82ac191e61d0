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

/// Made by the thread that uses it: operations of several threads have events at once.
class Products {
 public:
  Products() { runtime::stream_of(engine_).commands().let_kernels_lack_events(); }

  const Engine& engine() const { return engine_; }
  const Matrix<float>& a() const { return a_; }
  const Matrix<float>& c() const { return c_; }

  KernelRun multiply_with(const MultiplyOptions& options = {}) {
    MultiplyOptions by_naive = options;
    by_naive.kernel = {"naive"};
    return multiply_into(c_, a_, a_, by_naive);
  }
  cl::UserEvent gate() const { return cl::UserEvent(cl::Context(interop::context(engine_), true)); }

 private:
  Engine engine_;
  Matrix<float> a_ = Matrix<float>(engine_, {{1, 2}, {3, 4}}), c_ = Matrix<float>(engine_, 2, 2);
};

bool lacks_event(const Event& event) { return detail::Access::state(event)->lacks_event(); }

TEST(LateEventTest, AWaitNeedsNone) {
  watched([] {
    Products products;
    for (int i = 0; i < 2; i++) {
      const Event finished = products.multiply_with().finished;
      finished.wait();
      EXPECT_TRUE(lacks_event(finished));
      EXPECT_TRUE(finished.complete());
    }
    EXPECT_EQ(products.c().to_host(), (std::vector<float>{7, 10, 15, 22}));
  });
}

// Another queue reads C without waiting for the product.
TEST(LateEventTest, AWaitWithoutOneLastsAsLongAsTheOperation) {
  watched([] {
    constexpr std::size_t kSize = 176;  // uploads of 128 KiB or more wait for the host here
    const Engine engine;
    runtime::stream_of(engine).commands().let_kernels_lack_events();
    const std::vector<float> ones(kSize * kSize, 1);
    const Matrix<float> a(engine, kSize, kSize, ones);
    Matrix<float> c(engine, kSize, kSize, ones);
    const cl::Buffer memory(interop::buffer(c), true);
    const cl::CommandQueue other(cl::Context(interop::context(engine), true),
                                 cl::Device(interop::device(engine), true));
    const Event finished = multiply_into(c, a, a, {.kernel = {"naive"}}).finished;
    finished.wait();
    EXPECT_TRUE(lacks_event(finished));
    std::vector<float> found(ones.size());
    other.enqueueReadBuffer(memory, CL_TRUE, 0, found.size() * sizeof(float), found.data());
    EXPECT_EQ(found, std::vector<float>(ones.size(), kSize));
  });
}

TEST(LateEventTest, NorDoesAStreamThatEnds) {
  watched([] {
    Products products;
    const Event finished = products.multiply_with().finished;
    products.engine().stream().finish();
    EXPECT_TRUE(finished.complete());
    EXPECT_TRUE(lacks_event(finished));
  });
}

TEST(LateEventTest, AQueryDoes) {
  watched([] {
    Products products;
    const Event finished = products.multiply_with().finished;
    EXPECT_TRUE(lacks_event(finished));
    while (!finished.complete()) std::this_thread::yield();
    EXPECT_FALSE(lacks_event(finished));
  });
}

TEST(LateEventTest, AnOperationBeforeAGateEnds) {
  watched([] {
    Products products;
    cl::UserEvent later = products.gate();
    const Event first = products.multiply_with().finished,
                second = products.multiply_with({.wait_for = {interop::event(later())}}).finished;
    first.wait();
    EXPECT_FALSE(second.complete());
    later.setStatus(CL_COMPLETE);
    second.wait();
  });
}

TEST(LateEventTest, OperationsBeforeAGateOfTheApplicationEnd) {
  watched([] {
    Products products;
    const Event before = products.multiply_with().finished;
    const cl::CommandQueue queue(interop::queue(products.engine().stream()), true);
    const Event after = products.multiply_with().finished;
    cl::UserEvent later = products.gate();
    const std::vector<cl::Event> wait_for = {later};
    queue.enqueueBarrierWithWaitList(&wait_for);
    before.wait();
    after.wait();
    later.setStatus(CL_COMPLETE);
    queue.finish();
  });
}

// Another stream does not wait for an operation that has ended: its late event would be behind
// others.
TEST(LateEventTest, OtherStreamsDoNotWaitForAGateAfterIt) {
  watched([] {
    Products products;
    const Stream other = products.engine().new_stream();
    Matrix<float> d(products.engine(), 2, 2);
    products.multiply_with().finished.wait();
    cl::UserEvent later = products.gate();
    const Event second = multiply_into(d, products.a(), products.a(),
                                       {.kernel = {"naive"}, .wait_for = {interop::event(later())}})
                             .finished;
    Matrix<float> f(products.engine(), 2, 2);
    multiply_into(f, products.c(), products.a(), {.kernel = {"naive"}, .stream = other})
        .finished.wait();
    EXPECT_FALSE(second.complete());
    later.setStatus(CL_COMPLETE);
    second.wait();
  });
}

TEST(LateEventTest, TheEventOfAnOperationBeforeAGateIsComplete) {
  watched([] {
    Products products;
    const Event first = products.multiply_with().finished;
    first.wait();
    cl::UserEvent later = products.gate();
    const Event second = products.multiply_with({.wait_for = {interop::event(later())}}).finished;
    EXPECT_TRUE(runtime::ended(interop::handle(first)));
    later.setStatus(CL_COMPLETE);
    second.wait();
  });
}

TEST(LateEventTest, ThreadsThatShareAStreamHaveEvents) {
  watched([] {
    Products products;
    const Event alone = products.multiply_with().finished;
    std::thread([&] {
      EXPECT_FALSE(lacks_event(products.multiply_with().finished));
      EXPECT_FALSE(lacks_event(alone)) << "a command came after it";
      alone.wait();
    }).join();
    EXPECT_FALSE(lacks_event(products.multiply_with().finished));
  });
}

TEST(LateEventTest, OtherStreamsWaitForIt) {
  watched([] {
    Products products;
    const Stream other = products.engine().new_stream();
    Matrix<float> d(products.engine(), 2, 2);
    products.multiply_with();
    multiply_into(d, products.c(), products.a(), {.kernel = {"naive"}, .stream = other})
        .finished.wait();
    EXPECT_EQ(d.to_host(), (std::vector<float>{37, 54, 81, 118}));
  });
}

TEST(LateEventTest, AFailureBeforeItIsReported) {
  watched([] {
    Products products;
    cl::UserEvent failed = products.gate();
    const Event finished =
        products.multiply_with({.wait_for = {interop::event(failed())}}).finished;
    failed.setStatus(CL_OUT_OF_RESOURCES);
    try {
      finished.wait();
    } catch (const OpenClError&) {  // Intel's runtime ends the command well
    }
    EXPECT_THROW(products.engine().stream().finish(), OpenClError);
    EXPECT_NO_THROW(products.engine().stream().finish()) << "told twice";
  });
}

TEST(LateEventTest, AnEventOutlivesItsMatricesAndEngine) {
  watched([] {
    Products products;
    Event finished;
    {
      const Engine engine;
      runtime::stream_of(engine).commands().let_kernels_lack_events();
      const Matrix<float> a(engine, {{1, 2}, {3, 4}});
      Matrix<float> c(engine, 2, 2);
      finished = multiply_into(c, a, a, {.kernel = {"naive"}}).finished;
    }
    EXPECT_NO_THROW(finished.wait());
  });
}

}  // namespace
}  // namespace tessera::test
