// The child process of a context, with shell scripts in place of the worker program: how it may
// end, and what is remembered of that.
#include "runtime/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "runtime/first_use.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

class ChildProcessTest : public testing::Test {
 protected:
  /// A worker that does this for each request, once it has opened the device.
  Variable worker(const std::string& answer, const std::string& greeting = "") const {
    folder_.file("worker", "#!/bin/sh\necho >> " + folder_.at("started") + "\necho '" +
                               (greeting.empty() ? runtime::greeting().dump() : greeting) +
                               "'\nwhile read -r request; do echo '{\"opened\":true}'\n" + answer +
                               "\ndone\n");
    fs::permissions(folder_.at("worker"), fs::perms::owner_all);
    return Variable("TESSERA_WORKER", folder_.at("worker"));
  }

  /// Returns how many children have started.
  std::ptrdiff_t started() const {
    const std::string lines = folder_.content("started");
    return std::ranges::count(lines, '\n');
  }

  /// A context without any child yet.
  std::shared_ptr<runtime::Context> context() const {
    const runtime::Context& shared = runtime::stream_of(engine()).context();
    return std::make_shared<runtime::Context>(shared.device(), shared.handle(), false, "off");
  }

  std::string fate(const std::string& key = "a key") const {
    return runtime::fate_of_child(*context(), key, {{"do", "something"}});
  }

  Folder folder_;

 private:
  Variable cache_{"TESSERA_CACHE", folder_.at("cache")};
};

TEST_F(ChildProcessTest, WhatWasSurvivedIsAskedOnce) {
  const Variable program = worker("echo '{\"done\":true}'");
  EXPECT_EQ(fate(), "");
  EXPECT_EQ(fate(), "");
  EXPECT_EQ(started(), 1);
  EXPECT_EQ(fate("another key"), "");
  EXPECT_EQ(started(), 2);
}

TEST_F(ChildProcessTest, ACrashIsToldAndRemembered) {
  const Variable program = worker("kill -SEGV $$");
  for (int i = 0; i < 2; i++)
    EXPECT_EQ(fate(), "was killed by signal 11 (Segmentation fault)") << i;
  EXPECT_EQ(started(), 1);
}

TEST_F(ChildProcessTest, AnEndWithoutAnAnswerIsACrash) {
  const Variable program = worker("exit 8");
  EXPECT_EQ(fate(), "ended with status 8");
}

TEST_F(ChildProcessTest, AHangIsEnded) {
  const Variable program = worker("exec sleep 100"), limit("TESSERA_SELF_CHECK", "1");
  EXPECT_EQ(fate(), "took more than 1 s");
}

TEST_F(ChildProcessTest, AnErrorIsNoCrashAndNotRemembered) {
  const Variable program = worker("echo '{\"error\":\"no memory\"}'");
  EXPECT_EQ(fate(), "");
  EXPECT_EQ(fate(), "");
  EXPECT_EQ(started(), 2);
}

TEST_F(ChildProcessTest, WhoeverIsKilledFromOutsideIsAskedAgain) {
  const Variable program =
      worker("if [ -e " + folder_.at("once") + " ]; then echo '{}'; else : > " +
             folder_.at("once") + "; kill -KILL $$; fi");
  EXPECT_EQ(fate(), "");
  EXPECT_EQ(started(), 2);
}

TEST_F(ChildProcessTest, OneThatHasEndedMeanwhileIsStartedAgain) {
  const Variable program = worker("echo '{\"done\":true}'; exit 0");
  const auto own = context();
  EXPECT_TRUE(runtime::ask_child(*own, {{"do", "this"}}));
  EXPECT_TRUE(runtime::ask_child(*own, {{"do", "that"}}));
  EXPECT_EQ(started(), 2);
}

TEST_F(ChildProcessTest, OneChildDoesAllRequestsOfAContext) {
  const Variable program = worker("echo '{\"done\":true}'");
  const auto own = context();
  for (int i = 0; i < 3; i++) EXPECT_TRUE(runtime::ask_child(*own, {{"do", "this"}}));
  EXPECT_EQ(started(), 1);
}

TEST_F(ChildProcessTest, WithoutAWorkerNothingIsAsked) {
  for (const std::string& program : {folder_.at("nothing"), std::string("off"),
                                     std::string("/bin/false"), std::string("relative/worker")}) {
    const Variable named("TESSERA_WORKER", program);
    EXPECT_FALSE(runtime::ask_child(*context(), {{"do", "this"}})) << program;
  }
  const Variable other = worker("echo '{}'", "{\"tessera\":\"0.0.1\"}");
  EXPECT_FALSE(runtime::ask_child(*context(), {{"do", "this"}}));
}

TEST_F(ChildProcessTest, NothingIsAskedWithoutSelfChecks) {
  const Variable program = worker("kill -SEGV $$"), off("TESSERA_SELF_CHECK", "off");
  EXPECT_EQ(fate(), "");
  EXPECT_FALSE(fs::exists(folder_.at("started")));
}

/// Its standard output is the connection, and it has no file of its parent's.
TEST_F(ChildProcessTest, HasNothingOfItsParents) {
  const Variable program =
      worker("echo \"{\\\"files\\\":\\\"$(ls -l /proc/$$/fd | grep -c /cache$)\\\"}\"");
  folder_.file("cache", "");
  const int open = ::open(folder_.at("cache").c_str(), O_RDONLY);
  ASSERT_GE(open, 0);
  testing::internal::CaptureStdout();
  const auto reply = runtime::ask_child(*context(), {{"do", "this"}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ::close(open);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->answer.value("files", ""), "0");
}

}  // namespace
}  // namespace tessera::test
