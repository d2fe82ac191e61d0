// Worker steps: names there and back, and what counts against a kernel.
#include "tuning/worker_step.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tessera::tuning {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

TEST(WorkerStepTest, EveryStepIsFoundByItsName) {
  for (const WorkerStep step :
       {WorkerStep::starting, WorkerStep::building, WorkerStep::preparing, WorkerStep::first_run,
        WorkerStep::running, WorkerStep::checking, WorkerStep::timing}) {
    EXPECT_EQ(row_of(step).step, step);
    EXPECT_EQ(step_of(row_of(step).name), step);
  }
  EXPECT_FALSE(step_of("sleeping"));
}

TEST(WorkerStepTest, WhatTheHostTakesDoesNotCountAgainstAKernel) {
  for (const WorkerStep step : {WorkerStep::starting, WorkerStep::preparing, WorkerStep::checking})
    EXPECT_FALSE(row_of(step).stopped) << row_of(step).name;
  EXPECT_EQ(row_of(WorkerStep::building).stopped, Outcome::build_timeout);
  EXPECT_EQ(row_of(WorkerStep::timing).stopped, Outcome::run_timeout);
}

TEST(WorkerStepTest, ARunMayTakeAsLongAsABuildUntilThereIsABest) {
  const Policy policy;
  EXPECT_EQ(limit_of(WorkerStep::running, policy, 20, kNone), 20);
  EXPECT_EQ(limit_of(WorkerStep::running, policy, 20, 1e-3), policy.min_run_limit);
  EXPECT_EQ(limit_of(WorkerStep::timing, policy, 20, 1), policy.run_limit_factor);
  EXPECT_EQ(limit_of(WorkerStep::first_run, policy, 20, 1e-3), 20);
  EXPECT_EQ(limit_of(WorkerStep::preparing, policy, 20, 1e-3), policy.host_limit);
}

}  // namespace
}  // namespace tessera::tuning
