// Runs the tests on one device, and reports how many ran, how many were skipped, and why.
//
// $TESSERA_ALLOWED_SKIPS names a file with the tests that may be skipped here; any other skipped
// test is a failure. The file has one test per line. A '*' at the end matches any continuation, and
// '#' begins a comment.
// $TESSERA_TEST_REPORT names a file to which the summary is appended.
// $TESSERA_TEST_OPTIMISER can be "off": see WithoutOptimiser.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "device.hpp"

namespace {

std::optional<tessera::Engine> shared_engine;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Takes the engine away before the runtime unloads.
class SharedEngine : public testing::Environment {
 public:
  void SetUp() override {
    if (environment("TESSERA_TEST_OPTIMISER") == "off") without_optimiser_.emplace();
  }
  void TearDown() override { shared_engine.reset(); }

 private:
  std::optional<tessera::test::WithoutOptimiser> without_optimiser_;
};

std::vector<std::string> allowed_skips() {
  std::vector<std::string> patterns;
  if (const std::string name = environment("TESSERA_ALLOWED_SKIPS"); !name.empty()) {
    std::ifstream file(name);
    if (!file) {
      std::fprintf(stderr, "%s: cannot be read\n", name.c_str());
      std::exit(2);
    }
    for (std::string line; std::getline(file, line);) {
      line = line.substr(0, line.find('#'));
      line.resize(line.find_last_not_of(" \t") + 1);
      if (!line.empty()) patterns.push_back(line);
    }
  }
  return patterns;
}

bool matches(const std::string& pattern, const std::string& name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                : name == pattern;
}

/// Counts skipped tests by reason.
class SkipReport : public testing::EmptyTestEventListener {
 public:
  int forbidden() const { return forbidden_; }

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.skipped()) reason_ = result.message();
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Skipped()) return;
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    reasons_[reason_]++;
    const bool allowed = std::ranges::any_of(
        allowed_, [&](const std::string& pattern) { return matches(pattern, name); });
    if (!environment("TESSERA_ALLOWED_SKIPS").empty() && !allowed) {
      forbidden_++;
      std::printf("not allowed to be skipped here: %s\n", name.c_str());
    }
  }
  void OnEnvironmentsTearDownStart(const testing::UnitTest& unit) override {
    std::ostringstream report;
    report << "ran " << unit.test_to_run_count() - unit.skipped_test_count() << " skipped "
           << unit.skipped_test_count();
    if (shared_engine)
      report << " on " << shared_engine->device().name << ", "
             << shared_engine->device().platform_version;
    report << '\n';
    for (const auto& [reason, count] : reasons_)
      report << "  skipped " << count << ": " << reason << '\n';
    std::cout << report.str();
    if (const std::string name = environment("TESSERA_TEST_REPORT"); !name.empty()) {
      std::ofstream(name, std::ios::app) << report.str();
    }
  }

  std::vector<std::string> allowed_ = allowed_skips();
  std::string reason_;
  std::map<std::string, int> reasons_;
  int forbidden_ = 0;
};

}  // namespace

namespace tessera::test {

const Engine& engine() {
  if (!shared_engine) shared_engine.emplace();
  return *shared_engine;
}

WithoutOptimiser::WithoutOptimiser() {
  const DeviceInfo device = Engine().device();
  // PoCL 6 ends the process at a kernel with local memory that it compiles so.
  const bool ends = device.platform_version.find("PoCL") != std::string::npos &&
                    device.platform_version.find("PoCL 3") == std::string::npos;
  if (device.type == DeviceType::cpu && !ends)
    options_.emplace("TESSERA_BUILD_OPTIONS",
                     environment("TESSERA_BUILD_OPTIONS") + " -cl-opt-disable");
}

}  // namespace tessera::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(std::make_unique<SharedEngine>().release());
  auto report = std::make_unique<SkipReport>();
  const SkipReport& skips = *report;
  testing::UnitTest::GetInstance()->listeners().Append(report.release());
  const int status = RUN_ALL_TESTS();
  const auto& unit = *testing::UnitTest::GetInstance();
  if (unit.test_to_run_count() == 0) std::printf("no test ran\n");
  return status != 0 || skips.forbidden() > 0 || unit.test_to_run_count() == 0 ? 1 : 0;
}
