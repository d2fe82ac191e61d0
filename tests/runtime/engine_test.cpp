// Engines: streams, errors, programs shared.
#include <gtest/gtest.h>

#include <tessera/tessera.hpp>

#include "runtime/stream.hpp"
#include "runtime/submission.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

TEST(EngineTest, CopiesShareAndStreamsHaveTheirOwnQueue) {
  const Engine own;
  const Engine copy = own;
  const Engine stream = own.new_stream();
  EXPECT_EQ(copy.stream(), own.stream());
  EXPECT_NE(stream.stream(), own.stream());
  EXPECT_EQ(&stream.stream()->context(), &own.stream()->context());
  EXPECT_NO_THROW(stream.finish());
}

TEST(EngineTest, ADeviceThatWorksIsNotLost) { EXPECT_FALSE(engine().lost()); }

TEST(EngineTest, MemoryIsThatOfTheDevice) {
  EXPECT_EQ(engine().memory().capacity, engine().device().global_memory);
}

TEST(EngineTest, AFailedLaunchNamesKernelAndSizesAndTheEngineGoesOn) {
  auto& stream = *engine().stream();
  const auto program = stream.context().programs().get(
      {"common/element.cl", "common/product.cl", "multiply/tiled_static.cl"},
      "-D ELEMENT=0 -D TILE=8");
  auto& kernel = program->kernel("multiply_tiled_static");
  try {
    runtime::Submission submission(stream, {});
    submission.launch(kernel,
                      {{1, 1}, {4, 4}});  // not the size that the kernel requires, and no arguments
    FAIL() << "nothing was thrown";
  } catch (const OpenClError& error) {
    EXPECT_EQ(error.call(), "clEnqueueNDRangeKernel");
    EXPECT_LT(error.code(), 0);
    EXPECT_EQ(error.code_name().substr(0, 3), "CL_");
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
