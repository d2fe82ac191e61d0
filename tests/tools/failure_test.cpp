// Exit statuses of the library's errors.
#include "commands/failure.hpp"

#include <gtest/gtest.h>

#include <new>
#include <tessera/error.hpp>

namespace tessera::tool {
namespace {

TEST(FailureTest, WhatTheUserWroteIsBadUsage) {
  EXPECT_EQ(failure_of(ArgumentError(ErrorCode::unknown_name, "no variant")).status, 2);
  EXPECT_EQ(failure_of(MatrixError(ErrorCode::invalid_shape, "not square")).status, 2);
  EXPECT_EQ(failure_of(Error(ErrorCode::io, "no file")).status, 2);
}

TEST(FailureTest, ADeviceThatIsNotThereHasAStatusOfItsOwn) {
  EXPECT_EQ(failure_of(DeviceError(ErrorCode::no_device, "no device")).status, 3);
}

TEST(FailureTest, MemoryThatIsNotThereIsNotBadUsage) {
  EXPECT_EQ(failure_of(MemoryError("needs 8 GiB")).status, 4);
  EXPECT_EQ(failure_of(std::bad_alloc()).status, 4);
}

}  // namespace
}  // namespace tessera::tool
