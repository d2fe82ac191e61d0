// Functions of the C interface while OpenCL fails, while memory is short, and with NULL: each
// returns a status, gives an error with a message, and leaks nothing.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "entries.hpp"
#include "fault.hpp"
#include "own_work.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

class EntriesTest : public testing::Test {
 protected:
  const Variable cache_{"TESSERA_CACHE", "off"}, worker_{"TESSERA_WORKER", "off"};

  /// The numbers of a share of the calls or allocations of an entry.
  static std::vector<long> drawn(long number) {
    constexpr long kMost = 200;
    std::vector<long> numbers;
    const long step = std::max(1L, number / kMost);
    for (long i = 0; i < number; i += step) numbers.push_back(i);
    return share_of(numbers);
  }
  /// Returns what is wrong with a result; empty if nothing.
  static std::string defect(tessera_status status, const tessera_error* error) {
    if (status != tessera_error_status(error)) return "the error has another status";
    if (status == TESSERA_ERROR_INTERNAL) return tessera_error_message(error);
    const bool has_message = *tessera_error_message(error) != '\0';
    return has_message == (status != TESSERA_OK) ? "" : "the error has no message";
  }
};

TEST_F(EntriesTest, GiveAStatusWhereOpenClFails) {
  Operands operands;
  long failed = 0;
  for (const Entry& entry : operands.entries()) {
    // What is made at the first use stays.
    ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name;
    tessera_engine_finish(operands.engine(), nullptr);
    std::string held = unreleased();
    fail_call(-1);
    ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name;
    const long number = calls();
    fail_none();
    for (const long i : drawn(number)) {
      tessera_error* error = nullptr;
      fail_call(i);
      const tessera_status status = entry.call(&error);
      fail_none();
      EXPECT_EQ(defect(status, error), "") << entry.name << ", call " << i << ": " << failed_call();
      failed += status == TESSERA_OK ? 0 : 1;
      tessera_error_destroy(error);
      // An operation that failed on the device is reported once.
      tessera_engine_finish(operands.engine(), nullptr);
      ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name << " after call " << i;
      tessera_engine_finish(operands.engine(), nullptr);
      if (failed_call().starts_with("clRelease")) held = unreleased();
      EXPECT_EQ(unreleased(), held) << entry.name << ", call " << i << ": " << failed_call();
    }
  }
  std::printf("%ld calls failed\n", failed);
  EXPECT_GT(failed, 10);
}

TEST_F(EntriesTest, GiveAStatusWhereMemoryIsShort) {
  Operands operands;
  long failed = 0;
  for (const Entry& entry : operands.entries()) {
    if (entry.name == "check") continue;  // JSON that is parsed ends the process
    ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name;
    tessera_engine_finish(operands.engine(), nullptr);
    const std::string held = unreleased();
    fail_allocation(-1);
    ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name;
    const long number = allocations();
    allow_allocations();
    for (const long i : drawn(number)) {
      tessera_error* error = nullptr;
      fail_allocation(i);
      const tessera_status status = entry.call(&error);
      allow_allocations();
      EXPECT_EQ(defect(status, error), "") << entry.name << ", allocation " << i;
      failed += status == TESSERA_ERROR_OUT_OF_HOST_MEMORY ? 1 : 0;
      tessera_error_destroy(error);
      tessera_engine_finish(operands.engine(), nullptr);
      ASSERT_EQ(entry.call(nullptr), TESSERA_OK) << entry.name << " after allocation " << i;
      tessera_engine_finish(operands.engine(), nullptr);
      EXPECT_EQ(unreleased(), held) << entry.name << ", allocation " << i;
    }
  }
  std::printf("%ld allocations failed\n", failed);
  EXPECT_GT(failed, 20);
}

TEST_F(EntriesTest, RefuseNull) {
  tessera_error* error = nullptr;
  tessera_matrix* matrix = nullptr;
  for (const tessera_status status :
       {tessera_engine_finish(nullptr, nullptr), tessera_stream_finish(nullptr, nullptr),
        tessera_event_wait(nullptr, nullptr), tessera_fill(nullptr, 0, nullptr, nullptr),
        tessera_multiply_batched(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
        tessera_plan_run(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
        tessera_multiply_host(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
        tessera_eigenpair_solve(nullptr, nullptr, nullptr, nullptr),
        tessera_tune(nullptr, nullptr, nullptr, nullptr, nullptr),
        tessera_matrix_block(&matrix, nullptr, 0, 0, 0, 0, &error)})
    EXPECT_EQ(status, TESSERA_ERROR_INVALID_VALUE);
  EXPECT_EQ(matrix, nullptr);
  EXPECT_STREQ(tessera_error_message(error), "the matrix is NULL");
  tessera_error_destroy(error);
}

}  // namespace
}  // namespace tessera::test
