// Tune fixture: a small space to tune, with a clock that stands still.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/device.hpp"
#include "support/folder.hpp"
#include "tessera/tune.hpp"
#include "tuning/test_clock.hpp"
#include "tuning/tune.hpp"

namespace tessera::test {

class TuneFixture : public testing::Test {
 protected:
  TuneFixture() {
    options_.journal = folder_.at("journal.jsonl");
    options_.variant = "naive";
    options_.parameters = {{"GROUP_COLUMNS", 8}};
    options_.builders = 1;
  }

  Engine engine() const {
    return Engine(EngineOptions{.device = test::engine().device().selector, .profile = file()});
  }
  std::string file() const { return folder_.at("profile.jsonl"); }

  TuneResult tune(const Engine& engine, const Problem& problem) {
    return tuning::tune(engine, problem, options_, few_rounds(), clock_);
  }

  Folder folder_;
  TestClock clock_;
  TuneOptions options_;
  Problem problem_{.m = 96, .n = 80, .k = 64};
};

}  // namespace tessera::test
