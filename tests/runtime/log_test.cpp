// The log's handler and threshold.
#include "runtime/log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tessera/multiply.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "support/device.hpp"

namespace tessera::test {
namespace {

using Message = std::pair<LogLevel, std::string>;

class LogTest : public testing::Test {
 protected:
  LogTest() { set_log_handler(collecting()); }
  ~LogTest() override {
    set_log_handler(std::move(previous_handler_));
    set_log_level(previous_level_);
  }

  LogHandler collecting() {
    return [this](LogLevel level, std::string_view message) {
      const std::lock_guard lock(mutex_);
      messages_.emplace_back(level, message);
    };
  }
  std::vector<Message> messages() {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

  /// The text that a call writes to standard error.
  template <class Call>
  static std::string standard_error_of(Call&& call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
  }

 private:
  LogLevel previous_level_ = log_level();
  LogHandler previous_handler_ = set_log_handler({});
  std::mutex mutex_;
  std::vector<Message> messages_;
};

TEST_F(LogTest, TheHandlerGetsWhatTheThresholdLetsThrough) {
  const auto report = [] {
    runtime::warn("a warning");
    runtime::log("a note");
  };
  set_log_level(LogLevel::off);
  report();
  EXPECT_TRUE(messages().empty());
  EXPECT_EQ(set_log_level(LogLevel::warning), LogLevel::off);
  EXPECT_FALSE(runtime::log_wanted());
  report();
  EXPECT_EQ(set_log_level(LogLevel::info), LogLevel::warning);
  EXPECT_TRUE(runtime::log_wanted());
  report();
  EXPECT_EQ(messages(), (std::vector<Message>{{LogLevel::warning, "a warning"},
                                              {LogLevel::warning, "a warning"},
                                              {LogLevel::info, "a note"}}));
}

TEST_F(LogTest, AnOperationReportsItsKernel) {
  set_log_level(LogLevel::info);
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  const auto c = multiply(a, a, {.kernel = {"naive", {}}});
  const auto all = messages();
  EXPECT_TRUE(std::ranges::any_of(all,
                                  [](const Message& message) {
                                    return message.first == LogLevel::info &&
                                           message.second.starts_with("multiply float 2 x 2") &&
                                           message.second.find("naive") != std::string::npos;
                                  }))
      << all.size() << " messages";
}

TEST_F(LogTest, TheTerminalIsNotControlled) {
  set_log_level(LogLevel::warning);
  runtime::warn("\x1b[31mred\x7f\xc2\x9b\n\tnext");
  ASSERT_EQ(messages().size(), 1u);
  EXPECT_EQ(messages().front().second, "?[31mred???\n\tnext");
}

TEST_F(LogTest, WhatTheHandlerThrowsIsDropped) {
  set_log_level(LogLevel::warning);
  int calls = 0;
  set_log_handler([&](LogLevel, std::string_view) {
    calls++;
    throw std::runtime_error("of the handler's");
  });
  EXPECT_NO_THROW(runtime::warn("one"));
  EXPECT_NO_THROW(runtime::warn("two"));
  EXPECT_EQ(calls, 2);
}

TEST_F(LogTest, ReplacingReturnsThePreviousHandler) {
  set_log_level(LogLevel::warning);
  LogHandler collects = set_log_handler({});
  ASSERT_TRUE(collects);
  EXPECT_EQ(standard_error_of([] { runtime::warn("careful"); }), "tessera: warning: careful\n");
  EXPECT_TRUE(messages().empty());
  EXPECT_FALSE(set_log_handler(std::move(collects)));
  EXPECT_EQ(standard_error_of([] { runtime::warn("careful"); }), "");
  EXPECT_EQ(messages().size(), 1u);
}

TEST_F(LogTest, StandardErrorGetsNotesToo) {
  set_log_level(LogLevel::info);
  const LogHandler collects = set_log_handler({});
  EXPECT_EQ(standard_error_of([] { runtime::log("a note"); }), "tessera: a note\n");
}

TEST_F(LogTest, ThreadsReportWhileTheHandlerChanges) {
  constexpr std::size_t kThreads = 4, kEach = 1000;
  set_log_level(LogLevel::warning);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; t++) {
      threads.emplace_back([this] {
        for (std::size_t i = 0; i < kEach; i++) {
          runtime::warn("one of many");
          set_log_handler(collecting());
        }
      });
    }
  }
  EXPECT_EQ(messages(), std::vector<Message>(kThreads * kEach, {LogLevel::warning, "one of many"}));
}

TEST_F(LogTest, AHandlerMayReplaceItself) {
  set_log_level(LogLevel::warning);
  int calls = 0;
  set_log_handler([&](LogLevel, std::string_view) {
    calls++;
    set_log_handler([&](LogLevel, std::string_view) { calls += 10; });
  });
  runtime::warn("one");
  runtime::warn("two");
  EXPECT_EQ(calls, 11);
}

TEST(LogLevelTest, HasNames) {
  EXPECT_EQ(to_string(LogLevel::off), "off");
  EXPECT_EQ(to_string(LogLevel::warning), "warning");
  EXPECT_EQ(to_string(LogLevel::info), "info");
}

}  // namespace
}  // namespace tessera::test
