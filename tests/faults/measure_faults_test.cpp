// Steps of a tuner's worker, run in this process, and commands that fail in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <tessera/tessera.hpp>
#include <vector>

#include "fault.hpp"
#include "scenarios.hpp"
#include "tuning/measure.hpp"

namespace tessera::test {
namespace {

const Problem kProblem{.operation = "multiply", .m = 5, .n = 5, .k = 5};

/// If the runtime compiles at the first launch, that launch counts as a part of the build.
TEST(MeasureTest, WhatTheFirstLaunchNeedsIsPreparedBeforeTheBuild) {
  using tuning::WorkerStep;
  std::vector<WorkerStep> steps;
  const Engine engine = new_engine();
  tuning::Measurement measurement(engine, kProblem, tuning::kPolicy,
                                  [&](WorkerStep step) { steps.push_back(step); });
  measurement.build({"row_tile", {}});
  std::vector expected = {WorkerStep::building};
  if (engine.device().type == DeviceType::cpu)
    expected = {WorkerStep::preparing, WorkerStep::building, WorkerStep::first_run};
  EXPECT_EQ(steps, expected);
}

/// Other sizes are other programs, which take longer to build than a run may take.
TEST(MeasureTest, TheLastCheckMayBuild) {
  using tuning::WorkerStep;
  std::vector<WorkerStep> steps;
  tuning::Measurement measurement(new_engine(), kProblem, tuning::kPolicy,
                                  [&](WorkerStep step) { steps.push_back(step); });
  EXPECT_EQ(measurement.check({"row_tile", {}}, 1).reason, "");
  EXPECT_GT(steps.size(), 10U);
  for (const WorkerStep step : steps) EXPECT_EQ(step, WorkerStep::first_run);
}

/// Each of the first commands of a timing fails once, while later ones run.
TEST(MeasureTest, NoRunThatFailedIsTimed) {
  const KernelChoice kernel{"row_tile", {}};
  tuning::Measurement measurement(new_engine(), kProblem, tuning::kPolicy,
                                  [](tuning::WorkerStep) {});
  measurement.measure(kernel, 1e300);
  fail_command(-1);
  EXPECT_EQ(measurement.time(kernel, kProblem).outcome, Outcome::ok);
  const long number = std::min(commands(), 20l);
  fail_none();
  ASSERT_GT(number, 5);
  for (long i = 0; i < number; i++) {
    fail_command(i);
    const Trial trial = measurement.time(kernel, kProblem);
    fail_none();
    EXPECT_TRUE(failed_call().empty() || !trial.good()) << "command " << i;
  }
}

TEST(MeasureTest, WhereEventsTellNoTimeTheHostsCounts) {
  tuning::Measurement measurement(new_engine(), kProblem, tuning::kPolicy,
                                  [](tuning::WorkerStep) {});
  stop_clock(true);
  const Trial trial = measurement.measure({"row_tile", {}}, 1e300);
  stop_clock(false);
  EXPECT_EQ(trial.outcome, Outcome::ok) << trial.reason;
  ASSERT_FALSE(trial.runs.empty());
  EXPECT_GT(*std::min_element(trial.runs.begin(), trial.runs.end()), 1e-8);
}

TEST(MeasureTest, AFailedKernelIsNotChargedToTheNext) {
  const KernelChoice kernel{"row_tile", {}};
  for (long i = 0; i < 5; i++) {
    tuning::Measurement measurement(new_engine(), kProblem, tuning::kPolicy,
                                    [](tuning::WorkerStep) {});
    fail_command(i);
    try {
      measurement.build(kernel);
    } catch (const tuning::PreparationError&) {
    }
    fail_none();
    EXPECT_EQ(measurement.check(kernel, 1).reason, "") << "after command " << i;
  }
}

}  // namespace
}  // namespace tessera::test
