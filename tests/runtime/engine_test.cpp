// Engines: streams, errors, programs shared.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/stream.hpp"
#include "runtime/submission.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

TEST(EngineTest, CopiesShareAndStreamsHaveTheirOwnQueue) {
  const Engine own;
  const Engine copy = own;
  const Stream stream = own.new_stream();
  EXPECT_EQ(copy, own);
  EXPECT_EQ(copy.stream(), own.stream());
  EXPECT_NE(stream, own.stream());
  EXPECT_EQ(Engine(stream), own);
  EXPECT_NE(interop::queue(stream), interop::queue(own));
  EXPECT_NO_THROW(stream.finish());
}

TEST(EngineTest, AMatrixStaysOnItsStreamAndKnowsItsEngine) {
  std::optional<Engine> own(std::in_place);
  const Stream stream = own->new_stream();
  const Matrix<float> a(stream, {{1, 2}, {3, 4}});
  EXPECT_EQ(a.stream(), stream);
  EXPECT_EQ(a.block(0, 0, 1, 1).stream(), stream);
  EXPECT_EQ(Matrix<float>(a).stream(), stream);
  EXPECT_EQ((a * a).stream(), stream);
  EXPECT_EQ(a.copy_to(*own).stream(), own->stream());
  EXPECT_EQ(multiply(a, a, {.stream = own->stream()}).stream(), own->stream());
  EXPECT_EQ(a.engine(), *own);
  const Stream first = own->stream();
  own.reset();
  EXPECT_EQ(a.engine().stream(), first) << "an engine's own stream is the same after its end";
  EXPECT_EQ((a * a).to_host(), (std::vector<float>{7, 10, 15, 22}));
}

/// An event that has not happened yet: what waits for it shows where it was enqueued.
class Gate {
 public:
  explicit Gate(const Engine& engine)
      : event_(clCreateUserEvent(interop::context(engine), nullptr)) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    open();
    clReleaseEvent(event_);
  }
  Event event() const { return interop::event(event_); }
  void open() { clSetUserEventStatus(event_, CL_COMPLETE); }

 private:
  cl_event event_;
};

TEST(EngineTest, AnOperationRunsOnTheStreamThatItsOptionsName) {
  const Engine own;
  const Stream other = own.new_stream();
  const Matrix<float> a(own, {{1, 2}, {3, 4}});
  Matrix<float> c(own, 2, 2);
  Gate gate(own);
  const KernelRun run = multiply_into(c, a, a, {.wait_for = {gate.event()}, .stream = other});
  own.stream().finish();  // does not wait for the other
  EXPECT_FALSE(run.finished.complete());
  gate.open();
  other.finish();
  EXPECT_TRUE(run.finished.complete());
  EXPECT_EQ(c.to_host(), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_THROW(multiply_into(c, a, a, {.stream = Engine().stream()}), ArgumentError);
}

TEST(EngineTest, StepsAndSolvesRunOnTheStreamThatTheirOptionsName) {
  const Engine own;
  const Stream other = own.new_stream();
  const Matrix<float> a(own, {{1, 2}, {3, 4}});
  Matrix<float> s(own, 2, 1);
  Gate gate(own);
  const KernelRun run = row_sum(s, a, {.wait_for = {gate.event()}, .stream = other});
  own.stream().finish();
  EXPECT_FALSE(run.finished.complete());
  gate.open();
  EXPECT_EQ(s.to_host(), (std::vector<float>{3, 7}));
  EXPECT_EQ(dominant_eigenpair(a, {.stream = other}).vector.stream(), other);
}

TEST(EngineTest, FinishWaitsForEveryStream) {
  const Engine own;
  const Stream other = own.new_stream();
  const Matrix<float> a(own, {{1, 2}, {3, 4}});
  Gate gate(own);
  const auto c = multiply(a, a, {.wait_for = {gate.event()}, .stream = other});
  EXPECT_FALSE(c.ran.finished.complete());
  std::jthread opener([&] { gate.open(); });
  own.finish();
  EXPECT_TRUE(c.ran.finished.complete());
}

TEST(EngineTest, AProcessForkedFromItsOwnIsTold) {
  const Engine& parent = engine();
  const Matrix<float> a(parent, {{1, 2}, {3, 4}});
  a.to_host();
  const Event finished = multiply(a, a).ran.finished;
  parent.finish();
  const Engine unused;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(10);  // hanging ends too
    int told = 0;
    const auto tell = [&](auto&& call) {
      try {
        call();
      } catch (const DeviceError&) {
        told++;
      }
    };
    tell([&] { a.to_host(); });
    tell([&] { multiply(a, a); });
    tell([&] { parent.finish(); });
    tell([&] { parent.stream().finish(); });
    tell([&] { finished.wait(); });
    tell([&] { Engine(parent.device().selector); });
    tell([&] { parent.lost(); });
    tell([&] { capabilities(unused); });
    ::_exit(told);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 8);
}

TEST(EngineTest, ADeviceThatWorksIsNotLost) { EXPECT_FALSE(engine().lost()); }

TEST(EngineTest, MemoryIsThatOfTheDevice) {
  EXPECT_EQ(engine().memory().capacity, engine().device().global_memory);
}

TEST(EngineTest, AFailedLaunchNamesKernelAndSizesAndTheEngineGoesOn) {
  auto& stream = runtime::stream_of(engine());
  const auto program = stream.context().programs().get("multiply/tiled_static.cl",
                                                       "-D ELEMENT=0 -D OUTPUT=0 -D TILE=8");
  auto& kernel = program->kernel("multiply_tiled_static");
  try {
    runtime::Submission submission(stream, {});
    submission.launch(kernel,
                      {{1, 1}, {4, 4}});  // not the size that the kernel requires, and no arguments
    FAIL() << "nothing was thrown";
  } catch (const OpenClError& error) {
    EXPECT_EQ(error.call(), "clEnqueueNDRangeKernel");
    EXPECT_LT(error.opencl_code(), 0);
    EXPECT_EQ(error.opencl_name().substr(0, 3), "CL_");
    EXPECT_NE(std::string(error.what())
                  .find("kernel multiply_tiled_static on 1 x 1 work-groups of 4 x 4"),
              std::string::npos)
        << error.what();
  }
  const Matrix<float> a(engine(), {{3}});
  EXPECT_EQ((a * a).to_host().front(), 9);
}

}  // namespace
}  // namespace tessera::test
