// Products from host memory by the command, and operands that a device cannot hold.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

TEST(HostMemoryTest, ProductsAreThoseFromTheDevice) {
  const Folder folder;
  const std::string product =
      "multiply random:300x200:1 random:200x400:2 --beta 2 --c ones:300x400";
  const auto host = json_of(run_command(product + " --host --json --verify", folder.path()));
  EXPECT_EQ(host["verified"], true);
  EXPECT_EQ(host["devices"][0]["tiles"], 1);
  EXPECT_EQ(host["devices"][0]["failure"], "");
  EXPECT_EQ(run_command(product + " -o a.npy", folder.path()).status, 0);
  EXPECT_EQ(run_command(product + " --host -o b.npy", folder.path()).status, 0);
  const std::string on_host = folder.content("b.npy");
  EXPECT_GT(on_host.size(), 300 * 400 * sizeof(float));
  EXPECT_EQ(folder.content("a.npy"), on_host);
  const Outcome refused = run_command(product + " --host --kernel naive", folder.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.errors, "tessera: --host: --kernel needs the operands on a device\n");
}

TEST(HostMemoryTest, OperandsThatADeviceCannotHoldAreMultipliedFromTheHost) {
  const Folder folder;
  const std::string limit = "POCL_MEMORY_LIMIT=1";  // GiB; a matrix may have a quarter
  const auto devices = json_of(run_command("devices --json", folder.path(), limit));
  const auto& device = devices["devices"][0];
  if (device["max_allocation"].get<std::uint64_t>() > 300'000'000)
    GTEST_SKIP() << "the device's memory cannot be limited";
  const std::string product =
      "multiply random:80000x1000:1 random:1000x3:2 --verify --json --device " +
      device["selector"].get<std::string>();
  const auto host = json_of(run_command(product, folder.path(), limit));
  EXPECT_EQ(host["verified"], true);
  EXPECT_GT(host["devices"][0]["tiles"], 0);
}

TEST(HostMemoryTest, WhatADeviceCannotHoldIsRefusedByNameBeforeItIsMade) {
  const Folder folder;
  const auto devices = json_of(run_command("devices --json", folder.path()));
  const auto& device = devices["devices"][0];
  const auto largest = device["max_allocation"].get<std::uint64_t>();
  const std::string selected = " --device " + device["selector"].get<std::string>();
  const std::string name = "ones:" + std::to_string(largest / 4000 + 1) + "x1000";
  for (const std::string& command :
       {"multiply " + name + " ones:1000x1 --dtype float --kernel naive",
        "multiply ones:1x1000 " + name + " --transpose-b --kernel naive"}) {
    const Outcome outcome = run_command(command + selected, folder.path());
    const bool by_host = outcome.errors.find("of memory needed") != std::string::npos ||
                         outcome.errors.find("this machine has") != std::string::npos;
    EXPECT_EQ(outcome.status, by_host ? 2 : 4) << outcome.errors;
    EXPECT_TRUE(by_host || outcome.errors.find("tessera: " + name + ": ") == 0) << outcome.errors;
    EXPECT_NE(outcome.errors.find("iB"), std::string::npos) << outcome.errors;
  }
}

}  // namespace
}  // namespace tessera::test
