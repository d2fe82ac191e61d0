// Device memory: its count, its pool, and the order in which streams use it.
#include "runtime/memory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "runtime/memory_budget.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"
#include "support/device.hpp"
#include "support/eventually.hpp"
#include "support/message_of.hpp"

namespace tessera::runtime {
namespace {

DeviceInfo small_device() {
  DeviceInfo device;
  device.name = "small";
  device.global_memory = 100 << 20;
  device.max_allocation = 60 << 20;
  return device;
}

TEST(MemoryBudgetTest, CountsReservationsUntilTheyEnd) {
  const auto budget = std::make_shared<MemoryBudget>(small_device());
  auto reservation = budget->reserve(50 << 20, "a");
  EXPECT_EQ(budget->live(), 50u << 20);
  EXPECT_TRUE(budget->fits(50 << 20));
  EXPECT_FALSE(budget->fits((50 << 20) + 1));
  reservation.reset();
  EXPECT_EQ(budget->live(), 0u);
}

std::string unsupported_reason(MemoryBudget& budget, std::uint64_t bytes) {
  try {
    budget.reserve(bytes, "a matrix");
  } catch (const MemoryError& error) {
    return error.what();
  }
  return "none";
}

TEST(MemoryBudgetTest, WaitsForMemoryThatIsAboutToBeFree) {
  const auto budget = std::make_shared<MemoryBudget>(small_device(), std::chrono::minutes(10));
  auto reservation = budget->reserve(60 << 20, "a");
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    reservation.reset();
  });
  EXPECT_EQ(unsupported_reason(*budget, 60 << 20), "none");
  late.join();
}

TEST(MemoryBudgetTest, RefusesWithNumbers) {
  const auto budget = std::make_shared<MemoryBudget>(small_device());
  EXPECT_EQ(unsupported_reason(*budget, 61 << 20),
            "a matrix needs 61.0 MiB: small allows 60.0 MiB in one allocation");
  const auto reservation = budget->reserve(50 << 20, "a");
  EXPECT_EQ(unsupported_reason(*budget, 51 << 20),
            "a matrix needs 51.0 MiB: small has 100.0 MiB, and this engine holds 50.0 MiB of it");
  EXPECT_EQ(budget->live(), 50u << 20);
}

TEST(MemoryTest, RoomForMatricesIsCheckedWithoutAnAllocation) {
  Context& whole = runtime::stream_of(test::engine()).context();
  Device small = whole.device();
  small.info.global_memory = 100 << 20;
  small.info.max_allocation = 60 << 20;
  const auto context = std::make_shared<Context>(small, whole.handle(), false, "off");
  Stream stream(*context);
  const MatrixSize half{50, 1 << 20, 1}, rest{49, 1 << 20, 1};
  EXPECT_NO_THROW(stream.check_room({half, rest, {0, 3, 8}}));
  EXPECT_EQ(context->budget().live(), 0U);
  const auto thrown = [&](const std::vector<MatrixSize>& matrices) {
    return test::message_of([&] { stream.check_room(matrices); });
  };
  EXPECT_EQ(thrown({half, half, {1, 1, 1}}),
            "a matrix of 1 x 1 elements needs 64 bytes: " + small.info.name +
                " has 100.0 MiB, and this engine holds 100.0 MiB of it");
  EXPECT_THROW(stream.check_room({half, half, half}), MemoryError);
  EXPECT_EQ(thrown({half, {61, 1 << 20, 1}}),
            "a matrix of 61 x 1048576 elements needs 61.0 MiB: " + small.info.name +
                " allows 60.0 MiB in one allocation");
  EXPECT_THROW(stream.check_room({{std::size_t{1} << 40, std::size_t{1} << 40, 1}}), MatrixError);
  EXPECT_EQ(context->budget().live(), 0U);
}

TEST(MemoryTest, IsGivenBackWhenItsMatricesAreGone) {
  const Engine own;
  {
    const Matrix<float> a(own, 100, 100);
    EXPECT_EQ(own.memory().live, 40000u);
    const auto block = Matrix<float>(own, 10, 10).block(0, 0, 2, 2);
    EXPECT_EQ(own.memory().live, 40400u);
  }
  own.finish();
  EXPECT_TRUE(test::eventually([&] { return own.memory().live == 0; })) << own.memory().live;
}

TEST(MemoryTest, ScratchIsToldApartFromMatrices) {
  const Engine own;
  {
    const Matrix<float> a(own, 300, 300, std::vector<float>(90000, 1));
    EXPECT_EQ(multiply(a, a, {.kernel = {"packed", {}}}).to_host().front(), 300);
    own.finish();
    EXPECT_TRUE(test::eventually([&] { return own.memory().live == 360000; })) << own.memory().live;
    EXPECT_GT(own.memory().scratch, 0u);
  }
  own.finish();
  EXPECT_TRUE(test::eventually([&] { return own.memory().live == 0; })) << own.memory().live;
  EXPECT_GT(own.memory().scratch, 0u);
  own.release_scratch();
  EXPECT_TRUE(test::eventually([&] { return own.memory().scratch == 0; })) << own.memory().scratch;
}

TEST(MemoryTest, ScratchIsPooledAndBounded) {
  const Engine own;
  Stream& stream = runtime::stream_of(own);
  const auto use = [&](std::uint64_t bytes) {
    Submission submission(stream, {});
    const auto first = submission.scratch(bytes, "test");
    const auto second = submission.scratch(bytes, "test");
    EXPECT_NE(first(), second()) << "two pieces of one operation";
    return first();
  };
  const cl_mem once = use(1 << 20);
  EXPECT_EQ(use(1 << 20), once) << "the next operation reuses it";
  EXPECT_EQ(own.memory().scratch, 2u << 20);
  const std::uint64_t large = own.memory().capacity / 12;
  use(large);
  own.finish();
  EXPECT_TRUE(test::eventually([&] { return own.memory().scratch <= own.memory().capacity / 16; }))
      << own.memory().scratch;
  EXPECT_GE(own.memory().scratch, 2u << 20);
  EXPECT_EQ(own.memory().live, 0u);
  own.release_scratch();
  EXPECT_TRUE(test::eventually([&] { return own.memory().scratch == 0; })) << own.memory().scratch;
  use(1 << 20);
  EXPECT_EQ(own.memory().scratch, 2u << 20);
}

TEST(MemoryTest, AnAllocationThatDoesNotFitEmptiesThePoolsOfAllStreams) {
  Context& whole = runtime::stream_of(test::engine()).context();
  Device small = whole.device();
  small.info.global_memory = small.info.max_allocation = 64 << 20;
  const auto context = std::make_shared<Context>(small, whole.handle(), false, "off");
  Stream idle(*context), other(*context);
  Submission(idle, {}).scratch(3 << 20, "test");
  EXPECT_EQ(context->budget().live(), 3u << 20) << "pooled";
  EXPECT_NO_THROW(other.allocate(62 << 20, "a matrix"));
  EXPECT_TRUE(test::eventually([&] { return context->budget().live() == 0; }));
  Submission(idle, {}).scratch(3 << 20, "test");
  EXPECT_NO_THROW(Submission(other, {}).scratch(62 << 20, "test"));
}

TEST(MemoryTest, AStreamWaitsForAnothersWritesAndForReadsBeforeItWrites) {
  const Engine engine;
  const tessera::Stream one = engine.stream(), two = engine.new_stream(),
                        three = engine.new_stream();
  Matrix<float> matrix(one, 4, 4);
  Memory& memory = *detail::operand(matrix).memory;
  const auto waits = [&](const tessera::Stream& stream, Access access) {
    std::vector<Event> events;
    memory.uses().dependencies(stream_of(stream).id(), access, events);
    return events.size();
  };
  EXPECT_EQ(waits(two, Access::read), 0u);
  matrix.upload(std::vector<float>(16, 1));
  EXPECT_EQ(waits(one, Access::write), 0u) << "a stream is in order by itself";
  EXPECT_EQ(waits(two, Access::read), 1u);
  { Submission(stream_of(two), {{&memory, Access::read}}).finish(); }
  { Submission(stream_of(two), {{&memory, Access::read}}).finish(); }
  EXPECT_EQ(waits(three, Access::read), 1u) << "readers do not wait for readers";
  EXPECT_EQ(waits(three, Access::write), 2u) << "the write, and the last read of stream two";
  { Submission(stream_of(three), {{&memory, Access::write}}).finish(); }
  EXPECT_EQ(waits(one, Access::write), 1u) << "only the latest write is left to wait for";
}

TEST(MemoryTest, StreamsHandMatricesToEachOther) {
  const Engine one;
  const tessera::Stream two = one.new_stream();
  const std::size_t n = 200;
  std::vector<float> ones(n * n, 1);
  Matrix<float> a(one, n, n, ones), b(two, n, n, ones), c(one, n, n), d(two, n, n);
  for (int round = 0; round < 20; round++) {
    multiply_into(c, a, b, {.alpha = 1.0f / n});  // on one: all 1
    multiply_into(d, c, a, {.alpha = 1.0f / n});  // on two, after c
    multiply_into(c, d, d, {.alpha = 2.0f / n});  // on one, after d: all 2
    multiply_into(d, c, b, {.alpha = 1.0f / n});  // on two: all 2
  }
  EXPECT_EQ(d.to_host(), std::vector<float>(n * n, 2));
}

}  // namespace
}  // namespace tessera::runtime
