// Selectors among devices that this machine need not have.
#include "runtime/device_choice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tessera/error.hpp>
#include <vector>

#include "support/message_of.hpp"

namespace tessera::runtime {
namespace {

DeviceInfo device(const char* selector, DeviceType type, const char* name, const char* platform,
                  unsigned compute_units) {
  DeviceInfo info;
  info.selector = selector;
  info.type = type;
  info.name = name;
  info.platform = platform;
  info.compute_units = compute_units;
  info.clock_mhz = 1000;
  return info;
}

const std::vector<DeviceInfo> kDevices = {
    device("0:0", DeviceType::cpu, "cpu-haswell", "Portable Computing Language", 64),
    device("1:0", DeviceType::gpu, "GeForce GT 710", "NVIDIA CUDA", 1),
    device("1:1", DeviceType::gpu, "H200 for 0:0", "NVIDIA CUDA", 132),
    device("1:2", DeviceType::gpu, "H200", "NVIDIA CUDA", 132),
    device("2:0", DeviceType::cpu, "EPYC", "Intel(R) OpenCL", 128)};

std::string chosen(std::string_view selector) {
  return kDevices[choose_device(selector, kDevices)].selector;
}

TEST(DeviceChoiceTest, WithoutASelectorTheFastestGpu) { EXPECT_EQ(chosen(""), "1:1"); }

TEST(DeviceChoiceTest, APlaceOrATypeBeforeAPartOfAName) {
  EXPECT_EQ(chosen("1:0"), "1:0");
  EXPECT_EQ(chosen("0:0"), "0:0") << "a faster device has that in its name";
  EXPECT_EQ(chosen("gpu"), "1:1");
  EXPECT_EQ(chosen("GPU"), "1:1") << "as names, types are in any case";
  EXPECT_EQ(chosen("cpu"), "2:0") << "another device has that in its name";
}

TEST(DeviceChoiceTest, APartOfANameInAnyCaseBeforeAPlatform) {
  EXPECT_EQ(chosen("geforce"), "1:0");
  EXPECT_EQ(chosen("HASWELL"), "0:0");
  EXPECT_EQ(chosen("h200"), "1:1") << "the first of those that are as fast";
  EXPECT_EQ(chosen("portable computing"), "0:0");
  EXPECT_EQ(chosen("CUDA"), "1:1");
  EXPECT_EQ(chosen("intel(r)"), "2:0");
}

TEST(DeviceChoiceTest, TheFastestGpusInTurnForTheProcessesOfAMachine) {
  const auto local = [](std::size_t rank, const std::vector<DeviceInfo>& devices) {
    return devices[choose_local_device(rank, devices)].selector;
  };
  EXPECT_EQ(local(0, kDevices), "1:1");
  EXPECT_EQ(local(1, kDevices), "1:2");
  EXPECT_EQ(local(2, kDevices), "1:1") << "not the slow GPU";
  const std::vector<DeviceInfo> cpus = {kDevices[0], kDevices[4]};
  EXPECT_EQ(local(0, cpus), "2:0");
  EXPECT_EQ(local(3, cpus), "2:0");
}

TEST(DeviceChoiceTest, WhatNamesNoDeviceIsAnErrorThatListsThem) {
  for (const char* selector : {"1:3", "abacus", " gpu", "accelerator", "1:"}) {
    const std::string message =
        test::message_of([&] { choose_device(selector, kDevices, "; device 3:0: no answer"); });
    EXPECT_EQ(message,
              "no device \"" + std::string(selector) +
                  "\"; there are: 0:0 cpu-haswell (cpu), 1:0 GeForce GT 710 (gpu), 1:1 H200 for "
                  "0:0 (gpu), 1:2 H200 (gpu), 2:0 EPYC (cpu); device 3:0: no answer")
        << selector;
  }
}

TEST(DeviceChoiceTest, NoDeviceAtAllIsAnErrorThatSaysWhy) {
  EXPECT_EQ(test::message_of([] { choose_device("gpu", {}, "; platform 0: no answer"); }),
            "no OpenCL device; platform 0: no answer");
  EXPECT_EQ(test::message_of([] { choose_device("", {}); }),
            "no OpenCL device; install a platform, such as PoCL for CPUs (Debian, Ubuntu: "
            "pocl-opencl-icd)");
}

}  // namespace
}  // namespace tessera::runtime
