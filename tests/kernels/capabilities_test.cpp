// Recorded devices: what the rules, the defaults and the shipped profiles come to there, without
// them.
#include "tessera/capabilities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile.hpp"
#include "kernels/resolve.hpp"
#include "operations.hpp"
#include "tessera/error.hpp"

namespace tessera::kernels {
namespace {

class RecordedDeviceTest : public testing::TestWithParam<const char*> {
 protected:
  static std::string text() {
    std::ifstream file(std::string(TESSERA_RECORDED_DEVICES "/") + GetParam() + ".json");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static DeviceCapabilities device() { return capabilities_from_json(text()); }

  /// Calls `call(operation, variant, target)` for all that run.
  template <class Call>
  static void for_all(const DeviceCapabilities& device, Call&& call) {
    for (const Operation* operation : operation_tables()) {
      for (const ProductTypes& types : operation->types) {
        for (const Variant* variant : operation->variants) {
          const Target target(device, {.types = types});
          if (!why_not(*variant, target)) call(*operation, *variant, target);
        }
      }
    }
  }
};

TEST_P(RecordedDeviceTest, IsTheSameThereAndBack) {
  ASSERT_FALSE(device().name.empty());
  EXPECT_EQ(to_json(device()) + "\n", text());
}

TEST_P(RecordedDeviceTest, EveryDefaultIsLegalAndFits) {
  const DeviceCapabilities device = this->device();
  std::size_t defaults = 0;
  for_all(device, [&](const Operation&, const Variant& variant, const Target& target) {
    const Parameters parameters = resolve(variant, {}, target);
    EXPECT_EQ(broken_rule(variant, parameters, target), std::nullopt) << variant.full_name();
    EXPECT_EQ(exceeded_limit(variant, parameters, target), std::nullopt) << variant.full_name();
    defaults++;
  });
  EXPECT_GT(defaults, 80U);
}

TEST_P(RecordedDeviceTest, EveryProblemHasAPreferredVariantThatRuns) {
  const DeviceCapabilities device = this->device();
  for (const Operation* operation : operation_tables()) {
    for (const ProductTypes& types : operation->types) {
      if (types == ElementType::float64 && !device.has_double) continue;
      for (const std::size_t n : {1U, 31U, 64U, 500U, 8192U}) {
        for (const bool transposed : {false, true}) {
          const Problem problem = canonical({.operation = operation->name,
                                             .types = types,
                                             .m = n,
                                             .n = n,
                                             .k = n,
                                             .op_a = op_if(transposed)});
          const auto names = operation->preference(device, problem);
          EXPECT_TRUE(std::ranges::any_of(names, [&](const Preferred& preferred) {
            const Variant& variant = find_variant(*operation, preferred.variant);
            return !why_not(variant, {device, problem});
          })) << describe(problem);
        }
      }
    }
  }
}

/// What takes a GPU's compiler long comes to nothing there; what is preferred is always tried.
TEST_P(RecordedDeviceTest, ASearchTriesKernelsThatAreForTheDevice) {
  const DeviceCapabilities device = this->device();
  const Problem problem{.operation = "multiply", .m = 512, .n = 512, .k = 512};
  const Operation& operation = find_operation(problem.operation);
  const auto is_tried = [&](std::string_view variant) {
    return is_searched(find_variant(operation, variant), {device, problem});
  };
  EXPECT_EQ(is_tried("packed"), device.type == DeviceType::cpu);
  EXPECT_TRUE(is_tried("register_tiled"));
  for (const Preferred& preferred : operation.preference(device, problem))
    EXPECT_TRUE(is_tried(preferred.variant)) << preferred.variant;
  for_all(device, [](const Operation&, const Variant& variant, const Target& target) {
    EXPECT_TRUE(variant.deterministic || !is_searched(variant, target)) << variant.full_name();
  });
}

/// By columns a GPU takes more work-items for each work-group, where columns are long.
TEST_P(RecordedDeviceTest, MatrixVectorPrefersLargeGroupsForLongColumns) {
  const Operation& operation = find_operation("matrix_vector");
  const auto local_size = [&](bool transposed, std::size_t k) {
    const Problem problem = canonical({.operation = operation.name,
                                       .types = ElementType::float32,
                                       .m = 8192,
                                       .k = k,
                                       .op_a = op_if(transposed)});
    const Preferred preferred = operation.preference(device(), problem).front();
    const Variant& variant = find_variant(operation, preferred.variant);
    const Parameters parameters = nearest_legal(variant, preferred.parameters, {device(), problem});
    return parameters.contains("LOCAL_SIZE") ? parameters.at("LOCAL_SIZE") : 1;
  };
  const bool is_cpu = device().type == DeviceType::cpu;
  EXPECT_EQ(local_size(true, 8192), is_cpu ? 1 : 512);
  EXPECT_EQ(local_size(true, 512), is_cpu ? 1 : 512);
  EXPECT_EQ(local_size(true, 511), is_cpu ? 1 : 128);
  EXPECT_EQ(local_size(false, 8192), is_cpu ? 1 : 128);
}

TEST_P(RecordedDeviceTest, RoundsKeepMatricesInTheCacheWhereReadsHaveAPolicy) {
  const Operation& operation = find_operation("implicit_round");
  const Variant& variant = find_variant(operation, "row_per_group");
  const Target target(device(),
                      {.operation = operation.name, .mode = {.accumulator = Accumulator::float64}});
  EXPECT_EQ(resolve(variant, {}, target).at("CACHED_MIB") > 0, device().has_cache_policies);
  if (device().has_cache_policies) return;
  EXPECT_THROW(resolve(variant, {{"CACHED_MIB", 8}}, target), UnsupportedError);
}

/// Compensated sums take twice the local memory: what is legal for double may not be for them.
TEST_P(RecordedDeviceTest, ParametersOfOneModeAreFittedToAnother) {
  DeviceCapabilities device = this->device();
  device.local_memory = 48 << 10;
  const Operation& operation = find_operation("implicit_round");
  const Variant& variant = find_variant(operation, "row_per_group");
  const Parameters tuned = {{"LOCAL_SIZE", 512}, {"MR", 8}, {"UNROLL", 2}, {"CACHED_MIB", 0}};
  const auto target = [&](Accumulator accumulator) {
    return Target(device, {.operation = operation.name, .mode = {.accumulator = accumulator}});
  };
  const Target wide = target(Accumulator::float64), wider = target(Accumulator::compensated);
  EXPECT_EQ(resolve(variant, tuned, wide), tuned);
  EXPECT_THROW(resolve(variant, tuned, wider), UnsupportedError);
  const Parameters fitted = nearest_legal(variant, tuned, wider);
  EXPECT_EQ(exceeded_limit(variant, fitted, wider), std::nullopt);
  EXPECT_NE(fitted, tuned);
}

TEST_P(RecordedDeviceTest, ShippedProfilesAreLegal) {
  // Devices of a CPU's runtime with narrower vectors have profiles of their own.
  for (const unsigned simd_width : {device().simd_width, 8U}) {
    DeviceCapabilities device = this->device();
    device.simd_width = simd_width;
    for (const ProfileEntry& shipped : shipped_entries(device)) {
      const Variant& variant =
          find_variant(find_operation(shipped.problem.operation), shipped.kernel.variant);
      const Target target(device, shipped.problem);
      EXPECT_EQ(why_not(variant, target), std::nullopt);
      EXPECT_NO_THROW(resolve(variant, shipped.kernel.parameters, target))
          << describe(shipped.problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RecordedDeviceTest,
                         testing::Values("pocl_3", "pocl_6", "intel", "nvidia_h200"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CapabilitiesTest, TextThatIsNoneIsAnError) {
  EXPECT_THROW(capabilities_from_json("{"), Error);
  EXPECT_THROW(capabilities_from_json("[1]"), Error);
  EXPECT_THROW(capabilities_from_json(R"({"clock_mhz":1e300})"), Error);
  EXPECT_THROW(capabilities_from_json(R"({"max_work_items":[1,1,-1]})"), Error);
  EXPECT_THROW(capabilities_from_json(R"({"lane_exchanges":[{"exchange":4,"sizes":[]}]})"), Error);
  // The stack would not hold a copy of it, nor its text.
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  for (const char* key : {"lane_exchanges", "clock_mhz"})
    EXPECT_THROW(capabilities_from_json("{\"" + std::string(key) + "\":" + deep + "}"), Error);
}

TEST(CapabilitiesTest, AnotherSchemaIsAnError) {
  const auto code_of = [](const std::string& text) {
    try {
      capabilities_from_json(text);
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find("schema"), std::string::npos) << error.what();
      return error.code();
    }
    return ErrorCode{0};
  };
  EXPECT_EQ(code_of(R"({"schema":2,"type":"cpu"})"), ErrorCode::invalid_json);
  EXPECT_EQ(code_of(R"({"schema":"1","type":"cpu"})"), ErrorCode::invalid_json);
  EXPECT_EQ(capabilities_from_json(R"({"type":"cpu"})").type, DeviceType::cpu);
}

TEST(ProblemJsonTest, KeepsEveryMode) {
  for (const Accuracy accuracy : {Accuracy::ieee, Accuracy::bounded}) {
    for (const Accumulator accumulator : {Accumulator::automatic, Accumulator::two_floats,
                                          Accumulator::float64, Accumulator::compensated}) {
      const Problem problem{.mode = {accuracy, accumulator, true}};
      EXPECT_EQ(problem_from_json(to_json(problem)), problem) << to_json(problem);
    }
  }
}

TEST(ProblemJsonTest, AnotherSchemaIsAnError) {
  std::string text = to_json(Problem());
  EXPECT_TRUE(text.starts_with("{\"schema\":1,")) << text;
  EXPECT_THROW(problem_from_json(text.replace(10, 1, "2")), ArgumentError);
}

}  // namespace
}  // namespace tessera::kernels
