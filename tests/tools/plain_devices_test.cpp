// Devices that OpenCL allows and few have: small work-groups, and one thread for all. PoCL's can be
// such by its environment; to others it means nothing.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

/// Products and solves whose matrices have 128 KiB and more: such are mapped.
TEST(PlainDevicesTest, OneThatHasNoThreadOfItsOwnTransfersLargeMatrices) {
  const Folder folder;
  const std::string basic = "POCL_DEVICES=basic timeout 300";
  EXPECT_EQ(run_command("multiply identity:2 identity:2 --verify", folder.path(),
                        basic + " env TESSERA_CACHE=" + folder.at("cache"))
                .status,
            0);
  const Outcome product =
      run_command("multiply random:300x1200 random:1200x1100 --verify", folder.path(), basic);
  EXPECT_EQ(product.status, 0) << product.errors;
  const Outcome solve = run_command("eigen hilbert:256 -o v.npy", folder.path(), basic);
  EXPECT_EQ(solve.status, 0) << solve.errors;
}

TEST(PlainDevicesTest, SolvesWorkWithWorkGroupsOfAnySize) {
  const Folder folder;
  for (const int size : {1, 8, 63}) {
    for (const char* method : {"implicit", "fused", "explicit"}) {
      for (const char* stop : {"bounds", "neighbours"}) {
        const Outcome outcome =
            run_command(std::string("eigen hilbert:50 --json --tolerance 1e-5 --method ") + method +
                            " --stop " + stop,
                        folder.path(), "POCL_MAX_WORK_GROUP_SIZE=" + std::to_string(size));
        ASSERT_EQ(outcome.status, 0) << size << ' ' << method << ": " << outcome.errors;
        const Json json = Json::parse(outcome.output);
        constexpr double kRoot = 2.0762966;
        EXPECT_LE(json["lower"], kRoot + 1e-6) << size << ' ' << method;
        EXPECT_GE(json["upper"], kRoot - 1e-6) << size << ' ' << method;
      }
    }
  }
}

TEST(PlainDevicesTest, EveryKernelRunsOrSaysWhyNotWithSmallWorkGroups) {
  const Folder folder;
  for (const int size : {1, 8}) {
    const Outcome outcome = run_command("check --dtype float --largest 24", folder.path(),
                                        "POCL_MAX_WORK_GROUP_SIZE=" + std::to_string(size));
    EXPECT_EQ(outcome.status, 0) << size << ": " << outcome.output << outcome.errors;
  }
}

}  // namespace
}  // namespace tessera::test
