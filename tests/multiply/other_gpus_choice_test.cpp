// Kernels of GPUs without some of an H200's instructions or memory, computed without a GPU.
#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>

#include "kernels/resolve.hpp"
#include "multiply/gpu_choice.hpp"

namespace tessera::test {
namespace {

TEST(PreferenceTest, TensorMapsWithoutWgmmaServeTheTypesThatNeedNoMore) {
  DeviceCapabilities device = hopper();
  device.has_wgmma = false;
  const auto kernel = [&](ElementType type, Accuracy accuracy = Accuracy::ieee) {
    const Problem problem{
        .types = type, .m = 4096, .n = 4096, .k = 4096, .mode = {.accuracy = accuracy}};
    const kernels::Target target(device, problem);
    return kernels::default_kernel(find_operation("multiply"), target, problem);
  };
  device.has_double = true;
  device.max_work_group = 1024;
  device.max_work_items = {1024, 1024, 64};
  device.lane_exchanges = {{LaneExchange::nvidia_ptx, {32}}, {LaneExchange::local_memory, {32}}};
  for (const unsigned kib : {224U, 99U}) {
    device.async_copy_memory = device.tensor_map_memory = kib << 10;
    EXPECT_EQ(kernel(ElementType::float32).variant, "bulk_copy") << kib;
    EXPECT_EQ(kernel(ElementType::float32, Accuracy::bounded).variant, "mma_halves");
    EXPECT_EQ(kernel(ElementType::float64).variant, "tensor_core_double") << kib;
    EXPECT_EQ(kernel(ElementType::float64).parameters.at("TILE"), kib == 224 ? 128 : 64);
    EXPECT_EQ(kernel(ElementType::float64, Accuracy::bounded).variant, "tensor_core_double");
    EXPECT_EQ(kernel(ElementType::float16).variant, "tensor_core") << kib;
    EXPECT_EQ(kernel(ElementType::int8).variant, "mma_int8") << kib;
  }
}

TEST(PreferenceTest, BoundedProductsByWarpsDependOnTheCard) {
  DeviceCapabilities device = hopper();
  device.has_wgmma = false;
  device.tensor_map_memory = 0;
  const auto bounded = [&](ElementType type, std::size_t n) {
    return first({.types = type, .m = n, .n = n, .k = n, .mode = {.accuracy = Accuracy::bounded}},
                 device)
        .variant;
  };
  struct Card {
    int architecture;
    std::size_t kib;
    std::string_view of_floats, of_doubles;
  };
  for (const auto& [architecture, kib, of_floats, of_doubles] :
       {Card{80, 160, "mma_halves", "mma_residues"},
        {86, 99, "sliced_k", "mma_residues"},
        {89, 99, "sliced_k", "mma_residues"},
        {120, 99, "sliced_k", "mma_residues"},
        {86, 48, "sliced_k", "sliced_k_double"}}) {
    device.nvidia_architecture = architecture;
    device.async_copy_memory = kib << 10;
    EXPECT_EQ(bounded(ElementType::float32, 4096), of_floats) << architecture << " " << kib;
    EXPECT_EQ(bounded(ElementType::float64, 4096), of_doubles) << architecture << " " << kib;
    EXPECT_EQ(bounded(ElementType::float32, 64), "sliced_k") << architecture;
  }
}

TEST(PreferenceTest, AdrenoReadsImages) {
  DeviceCapabilities device = hopper();
  device.vendor = "QUALCOMM";
  device.has_images = true;
  device.max_image_width = device.max_image_height = 16384;
  device.has_wgmma = false;
  device.async_copy_memory = 0;
  device.tensor_map_memory = 0;
  EXPECT_EQ(first({.m = 1000, .n = 2000, .k = 3000}, device).variant, "image");
  EXPECT_EQ(first({.m = 1000, .n = 20000, .k = 3000}, device).variant, "sliced_k") << "too wide";
  EXPECT_EQ(first({.m = 64, .n = 64, .k = 64, .batch = 9}, device).variant, "sliced_k");
  EXPECT_EQ(first({.types = ElementType::int8, .m = 64, .n = 64, .k = 64}, device).variant,
            "register_tiled");
}

TEST(PreferenceTest, ThatOfInt8RunsOnAnyGpu) {
  DeviceCapabilities device = hopper();
  device.tensor_map_memory = 0;
  device.has_wgmma = false;
  device.async_copy_memory = 0;
  for (const std::size_t n : {1U, 64U, 1000U, 8192U}) {
    const Problem problem{.types = ElementType::int8, .m = n, .n = n, .k = n};
    const auto all = find_operation("multiply").preference(device, problem);
    EXPECT_EQ(all.front().variant, "register_tiled") << n;
    EXPECT_EQ(all.back().variant, "naive") << n;
    for (const auto& preferred : all) {
      EXPECT_NE(preferred.variant, "sliced_k") << n;
      EXPECT_NE(preferred.variant, "bulk_copy") << n;
    }
  }
}

TEST(PreferenceTest, TilesFitIntoLocalMemory) {
  DeviceCapabilities device = hopper();
  device.tensor_map_memory = 0;
  for (const bool asynchronous : {true, false}) {
    device.async_copy_memory = asynchronous ? 40U << 10 : 0;
    for (const std::size_t kilobytes : {48U, 40U}) {
      device.local_memory = kilobytes << 10;
      for (const ElementType type : {ElementType::float32, ElementType::float64}) {
        for (const std::size_t n : {40U, 200U, 400U, 2000U}) {
          const auto preferred = first({.types = type, .m = n, .n = n, .k = n}, device);
          ASSERT_TRUE(preferred.variant.starts_with("sliced_k")) << preferred.variant;
          const auto& p = preferred.parameters;
          const int numbers =
              p.at("STAGES") * p.at("TILE_K") * (p.at("TILE_M") + p.at("TILE_N") + 8);
          EXPECT_LE(static_cast<std::size_t>(numbers) * (type == ElementType::float64 ? 8 : 4),
                    device.local_memory)
              << n;
          EXPECT_TRUE(asynchronous || p.at("STAGES") == 2);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
