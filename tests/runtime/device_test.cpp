// Devices and their selection.
#include "runtime/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>

#include "support/device.hpp"

namespace tessera::test {
namespace {

TEST(DeviceTest, ListsTheDeviceInUse) {
  const auto all = devices();
  EXPECT_TRUE(std::ranges::any_of(
      all, [](const DeviceInfo& device) { return device.name == engine().device().name; }));
}

TEST(DeviceTest, SaysWhatItIs) {
  const DeviceInfo& device = engine().device();
  EXPECT_FALSE(device.name.empty());
  EXPECT_FALSE(device.driver.empty());
  EXPECT_GT(device.compute_units, 0u);
  EXPECT_GT(device.max_allocation, 0u);
  EXPECT_GE(device.global_memory, device.max_allocation);
  EXPECT_GT(device.max_work_group, 0u);
  EXPECT_GE(device.simd_width, 1u);
  EXPECT_FALSE(device.extensions.empty());
  EXPECT_TRUE(device.has_extension(device.extensions.back()));
  EXPECT_FALSE(device.has_extension("cl_nobody_has_this"));
}

TEST(DeviceTest, IsSelectedByPlaceTypeAndPartOfAName) {
  const DeviceInfo& device = engine().device();
  EXPECT_EQ(Engine(device.selector).device().name, device.name);
  EXPECT_EQ(Engine(to_string(device.type)).device().type, device.type);
  std::string part = device.name.substr(device.name.size() / 2);
  std::ranges::transform(part, part.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_NE(Engine(part).device().name.find(device.name.substr(device.name.size() / 2)),
            std::string::npos);
  EXPECT_NO_THROW(Engine(std::string_view(device.platform)));
}

TEST(DeviceTest, AnUnknownSelectorListsWhatThereIs) {
  try {
    Engine("abacus");
    FAIL() << "nothing was thrown";
  } catch (const DeviceError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("no device \"abacus\"; there are: "), std::string::npos) << message;
    EXPECT_NE(message.find(engine().device().name), std::string::npos) << message;
  }
}

TEST(DeviceTest, KnowsRuntimesByTheirNames) {
  const auto device = [](const char* platform, DeviceType type) {
    DeviceInfo info;
    info.platform = platform;
    info.type = type;
    return info;
  };
  const DeviceInfo pocl = device("Portable Computing Language", DeviceType::cpu),
                   intel = device("Intel(R) OpenCL", DeviceType::cpu),
                   intel_gpu = device("Intel(R) OpenCL Graphics", DeviceType::gpu),
                   nvidia = device("NVIDIA CUDA", DeviceType::gpu);
  EXPECT_TRUE(runtime::keeps_programs(pocl));
  EXPECT_TRUE(runtime::waits_awake(pocl));
  EXPECT_FALSE(runtime::keeps_programs(intel));
  EXPECT_FALSE(runtime::waits_awake(intel));
  EXPECT_TRUE(runtime::waits_awake(intel_gpu));
  EXPECT_FALSE(runtime::waits_awake(nvidia));
  EXPECT_TRUE(runtime::user_events_linger(nvidia));
  EXPECT_FALSE(runtime::user_events_linger(pocl));
}

}  // namespace
}  // namespace tessera::test
