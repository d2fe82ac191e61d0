// Every OpenCL call fails once: the library throws its own error or succeeds, and leaks nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tessera/tessera.hpp>
#include <vector>

#include "defect.hpp"
#include "fault.hpp"
#include "runtime/stream.hpp"
#include "scenarios.hpp"
#include "support/folder.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

class FaultsTest : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    separate_memory(GetParam().separate_memory);
    ::setenv("TESSERA_WORKER", "off", 1);  // a child process would be started again for each fault
    ::setenv("TESSERA_CACHE", GetParam().cached ? folder_.path().c_str() : "off", 1);
  }
  void TearDown() override {
    separate_memory(false);
    ::unsetenv("TESSERA_CACHE");
    ::unsetenv("TESSERA_WORKER");
  }

  /// Commands that find out what the device can do, whose failure means that it cannot: none where
  /// the cache has known that.
  static long probes() {
    capabilities(new_engine());
    fail_command(-1);
    capabilities(new_engine());
    fail_none();
    return commands();
  }

 private:
  Folder folder_;
};

/// The codes with which a call of a function fails: one of them in turn from call to call, and in
/// each scenario from another one on; all of them where $TESSERA_EVERY_CODE is set.
std::vector<int> codes_of_call(const std::string& function, std::size_t turn) {
  const std::vector<int> all = codes(function);
  if (std::getenv("TESSERA_EVERY_CODE") != nullptr) return all;
  return {all[turn % all.size()]};
}

/// Returns whether this call, or command, is in the share that is made to fail.
bool is_drawn(long number) {
  static const Share share = Share::from_environment();
  return share.has(static_cast<std::size_t>(number));
}

/// Returns whether the function must not fail because its name begins with $TESSERA_FAULT_SKIP.
/// With the functions that release objects, a leak check then finds only the library's leaks.
bool is_skipped(std::string_view function) {
  const char* const start = std::getenv("TESSERA_FAULT_SKIP");
  return start != nullptr && *start != '\0' && function.starts_with(start);
}

/// What has failed and was not reported yet.
void tell_failures(const Engine& engine) {
  try {
    engine.finish();
  } catch (const OpenClError&) {
  }
}

TEST_P(FaultsTest, EveryCallFailsOnce) {
  const auto& run = GetParam().run;
  run(new_engine());
  run(new_engine());
  std::string held = unreleased();  // by the application
  {
    const Engine engine = new_engine();
    inject({});
    run(engine);
    fail_none();
  }
  ASSERT_GT(calls(), 10);  // a variant that does not run asks what the device can do, no more
  EXPECT_EQ(unreleased(), held);

  const std::size_t first = std::hash<std::string>()(GetParam().name) % 100;
  std::set<std::string> failed;
  long errors = 0, tolerated = 0;
  for (const auto& [function, number] : calls_by_function()) {
    for (long i = 0; i < number && !is_skipped(function); i++) {
      if (!is_drawn(i)) continue;
      for (const int code : codes_of_call(function, first + static_cast<std::size_t>(i))) {
        std::optional<Engine> engine = new_engine();
        inject({{.function = function, .number = i, .code = code}});
        bool threw = false;
        const std::string outcome = defect(GetParam(), *engine, threw, code);
        fail_none();
        const std::string where = "call " + std::to_string(i) + " of " + function + ", code " +
                                  std::to_string(code) + ", failed: " + failed_call();
        ASSERT_EQ(outcome, "") << where;
        tell_failures(*engine);
        ASSERT_NO_THROW(run(*engine)) << "after " << where;
        engine.reset();
        // An object stays if OpenCL does not release it.
        if (failed_call().starts_with("clRelease")) held = unreleased();
        ASSERT_EQ(unreleased(), held) << where;
        if (failed_call().empty()) continue;  // more of these calls in one run than in another
        (threw ? errors : tolerated)++;
        failed.insert(failed_call());
      }
    }
  }
  run(new_engine());
  std::printf("%s: %ld calls of %zu functions failed, %ld threw, %ld did no harm\n",
              GetParam().name.c_str(), errors + tolerated, failed.size(), errors, tolerated);
  EXPECT_GE(errors, (errors + tolerated) / 4);
}

/// A runtime may continue after a failed command, so that the last command does not report the
/// failure, and neither does the wait for it.
TEST_P(FaultsTest, EveryCommandFailsOnceWhileLaterOnesGoOn) {
  const auto& run = GetParam().run;
  run(new_engine());
  const std::string held = unreleased();
  fail_command(-1);
  run(new_engine());
  const long number = commands();
  fail_none();
  long seen = 0, errors = 0;
  for (long i = 0; i < number; i++) {
    {
      const Engine engine = new_engine();
      fail_command(i);
      silence_waits(true);
      bool threw = false;
      const std::string outcome = defect(GetParam(), engine, threw);
      silence_waits(false);
      fail_none();
      ASSERT_EQ(outcome, "") << "command " << i << ", " << failed_call();
      // What only gives memory back may fail in silence.
      if (!failed_call().empty() && failed_call() != "clEnqueueUnmapMemObject") {
        seen++;
        errors += threw ? 1 : 0;
      }
      tell_failures(engine);
      ASSERT_NO_THROW(run(engine)) << "after command " << i << ", " << failed_call();
    }
    ASSERT_EQ(unreleased(), held) << "command " << i << ", " << failed_call();
  }
  seen -= probes();
  std::printf("%s: %ld commands failed, %ld in sight of the library, %ld threw\n",
              GetParam().name.c_str(), number, seen, errors);
  EXPECT_GT(seen, 0);
  EXPECT_GE(errors, seen / 2);
}

/// The scenarios call every function that the library uses, so that each is made to fail above. The
/// exceptions are functions that CLHPP would call for a copy that is never made, and one that needs
/// sub-groups.
TEST(EntryPointsTest, EachIsCalledInAScenario) {
  const std::set<std::string> not_called = {"clRetainKernel", "clRetainProgram"},
                              seldom = {"clGetKernelSubGroupInfo"};
  const Variable worker("TESSERA_WORKER", "off");  // a child process's calls are not counted
  const Folder folder;
  std::map<std::string, long> calls_of;
  for (const Scenario& scenario : scenarios()) {
    const Variable cache("TESSERA_CACHE", scenario.cached ? folder.path().string() : "off");
    separate_memory(scenario.separate_memory);
    scenario.run(new_engine());
    const Engine engine = new_engine();
    inject({});
    scenario.run(engine);
    fail_none();
    separate_memory(false);
    for (const auto& [function, number] : calls_by_function()) calls_of[function] += number;
  }
  EXPECT_GT(calls_of.size(), 40u);
  for (const auto& [function, number] : calls_of)
    EXPECT_TRUE(seldom.contains(function) || (number > 0) != not_called.contains(function))
        << function << ": " << number;
}

INSTANTIATE_TEST_SUITE_P(Library, FaultsTest, testing::ValuesIn(scenarios()),
                         [](const auto& test) { return test.param.name; });

class LostDeviceTest : public FaultsTest {};

/// The device may still use the memory of a command when waiting for it has failed.
TEST_P(LostDeviceTest, NoMemoryIsFreedThatTheDeviceMayUse) {
  const auto& run = GetParam().run;
  run(new_engine());
  fail_call(-1);
  run(new_engine());
  const long number = waits();
  fail_none();
  long errors = 0;
  for (long i = 0; i < number; i++) {
    {
      const Engine engine = new_engine();
      lose_device(i);
      bool threw = false;
      EXPECT_EQ(defect(GetParam(), engine, threw), "") << "wait " << i;
      errors += threw ? 1 : 0;
      fail_none();
    }
    EXPECT_EQ(land(), "") << "wait " << i << " of " << number;
  }
  EXPECT_EQ(errors > 0, number > 0);
  run(new_engine());
}

INSTANTIATE_TEST_SUITE_P(Library, LostDeviceTest, testing::ValuesIn(of_lost_devices()),
                         [](const auto& test) { return test.param.name; });

/// A device that could not be asked once can do what it did before the next time.
TEST(CapabilitiesFaultsTest, AFailureIsNotRemembered) {
  const auto ask = [] { return to_json(capabilities(new_engine())); };
  const auto ask_anew = [&] {
    const Folder folder;
    const Variable cache("TESSERA_CACHE", folder.path().string());
    try {
      ask();
    } catch (const OpenClError&) {
    }
    fail_none();
    return ask();
  };
  fail_call(-1);
  const std::string expected = ask_anew();
  fail_call(-1);
  ask_anew();
  const long number = calls();
  ASSERT_GT(number, 10);
  for (long i = 0; i < number; i++) {
    if (!is_drawn(i)) continue;
    fail_call(i);
    EXPECT_EQ(ask_anew(), expected) << "call " << i << ", " << failed_call();
  }
}

/// A program whose PTX is to be taken, and cannot be read, is not one that does not compile.
TEST(CapabilitiesFaultsTest, AProgramThatCannotBeReadIsNoBuildError) {
  const Folder folder;
  folder.file("multiply/naive.cl", "kernel void multiply_naive() {}  // marked as \"//@\" is\n");
  const Variable sources("TESSERA_KERNEL_DIR", folder.path().string());
  const Engine engine = new_engine();
  inject({{.function = "clGetProgramInfo", .code = CL_OUT_OF_RESOURCES}});
  EXPECT_THROW(runtime::stream_of(engine).context().programs().get("multiply/naive.cl",
                                                                   "-D ELEMENT=0 -D OUTPUT=0"),
               OpenClError);
  fail_none();
}

}  // namespace
}  // namespace tessera::test
