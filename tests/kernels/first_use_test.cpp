// A kernel that crashes its driver or never ends is tried in another process, which it costs; the
// caller gets another kernel, or an error.
#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/stream.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/message_of.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

constexpr const char* kCrash = "*(volatile global uint*)0 = 1;";
/// LLVM may take away a loop without effects.
constexpr const char* kHang = "for (volatile uint endless = 1; endless != 0;) {}";

class FirstUseTest : public testing::Test {
 protected:
  void SetUp() override {
    if (engine().device().type != DeviceType::cpu)
      GTEST_SKIP() << "a GPU that is made to crash may stay so";
  }

  static Product<float> product(const Engine& own, const KernelChoice& kernel = {}) {
    const Matrix<float> a(own, 64, 64, std::vector<float>(64 * 64, 1));
    return multiply(a, a, {.kernel = kernel});
  }

  static bool is_right(const Product<float>& c) {
    return c.to_host() == std::vector<float>(64 * 64, 64);
  }

  static std::string preferred() { return product(engine()).ran.variant(); }

  /// Makes kernels with `statement` at the beginning of every function in `file`, below cl/.
  Variable damage(const std::string& file, const std::string& statement) const {
    const std::string text = runtime::kernel_text(file);
    folder_.file("cl/" + file, std::regex_replace(text, std::regex(R"((kernel [^;{]*\) \{))"),
                                                  "$1 " + statement));
    return Variable("TESSERA_KERNEL_DIR", folder_.at("cl"));
  }

  Folder folder_;

 private:
  Variable cache_{"TESSERA_CACHE", folder_.at("cache")};
};

TEST_F(FirstUseTest, ACrashCostsTheKernel) {
  const std::string variant = preferred();
  const Variable kernels = damage("multiply/" + variant + ".cl", kCrash);
  for (int i = 0; i < 2; i++) {  // the second time from memory
    const Engine own;
    testing::internal::CaptureStderr();
    const auto c = product(own);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("tessera: warning: multiply/" + variant + " is not used here"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("killed by signal 11"), std::string::npos) << said;
    EXPECT_TRUE(is_right(c));
    EXPECT_NE(c.ran.variant(), variant);
    const auto named = message_of([&] { product(own, {variant, {}}); });
    EXPECT_NE(named.find("multiply/" + variant), std::string::npos) << named;
    EXPECT_NE(named.find("killed by signal 11"), std::string::npos) << named;
  }
}

TEST_F(FirstUseTest, AHangCostsTheKernel) {
  const std::string variant = preferred();
  const Variable kernels = damage("multiply/" + variant + ".cl", kHang),
                 limit("TESSERA_SELF_CHECK", "8");
  const auto c = product(Engine());
  EXPECT_TRUE(is_right(c));
  EXPECT_NE(c.ran.variant(), variant);
  EXPECT_NE(c.ran.reason().find("took more than 8 s"), std::string::npos) << c.ran.reason();
}

TEST_F(FirstUseTest, ACompilerThatEndsTheProcessCostsTheKernel) {
  if (engine().device().platform != "Portable Computing Language")
    GTEST_SKIP() << "whether the compiler is Clang is not known";
  const std::string variant = preferred();
  const Variable kernels =
      damage("multiply/" + variant + ".cl", "\n#pragma clang __debug llvm_fatal_error\n");
  const auto c = product(Engine());
  EXPECT_TRUE(is_right(c));
  EXPECT_NE(c.ran.variant(), variant);
  EXPECT_NE(c.ran.reason().find("signal 6"), std::string::npos) << c.ran.reason();
}

TEST_F(FirstUseTest, AProbeThatCrashesHasNotFoundItsFeature) {
  {
    const Variable kernels = damage("probes/exactness.cl", kCrash);
    EXPECT_FALSE(capabilities(Engine()).has_exact_floats);
  }
  const Variable fresh("TESSERA_CACHE", folder_.at("another"));
  EXPECT_EQ(capabilities(Engine()).has_exact_floats, capabilities(engine()).has_exact_floats);
}

TEST_F(FirstUseTest, DoublesThatDoNotCompileCostNoFloats) {
  if (!engine().device().has_double) GTEST_SKIP() << "the device has no double";
  const Variable kernels =
      damage("probes/exactness.cl", "\n#if DOUBLE == 1\n#error \"no doubles\"\n#endif\n");
  const auto found = capabilities(Engine());
  EXPECT_EQ(found.has_exact_floats, capabilities(engine()).has_exact_floats);
  EXPECT_FALSE(found.has_exact_doubles);
}

TEST_F(FirstUseTest, WhatIsRememberedOfADeviceIsOfItsLimits) {
  const runtime::Context& whole = runtime::stream_of(engine()).context();
  const auto largest = [&](std::size_t max_work_group) {
    runtime::Device device = whole.device();
    device.info.max_work_group = max_work_group;
    const auto own = detail::Access::make<Engine>(
        std::make_shared<runtime::Context>(device, whole.handle(), false, "off"));
    return capabilities(own).lane_exchanges.back().sizes.back();
  };
  EXPECT_EQ(largest(8), 8);
  EXPECT_EQ(largest(16), 16);
}

TEST_F(FirstUseTest, ASolveWhoseKernelsCrashIsAnError) {
  const Variable kernels = damage("eigenpair/finish.cl", kCrash);
  const Engine own;
  const Matrix<float> a(own, {{2, 1}, {1, 2}});
  const auto said = message_of([&] { dominant_eigenpair(a); });
  EXPECT_NE(said.find("dominant_eigenpair"), std::string::npos) << said;
  EXPECT_NE(said.find("killed by signal 11"), std::string::npos) << said;
  EXPECT_TRUE(is_right(product(own)));
}

TEST_F(FirstUseTest, NoChildIsStartedForWhatWasUsedBefore) {
  EXPECT_TRUE(is_right(product(Engine())));
  const Variable crashes("TESSERA_WORKER", "/bin/false"), off("TESSERA_LOG", "off");
  const Engine own;
  const auto c = product(own);
  EXPECT_TRUE(is_right(c));
  EXPECT_EQ(c.ran.variant(), preferred());
}

TEST_F(FirstUseTest, AnAdoptedContextHasAChildOfItsOwn) {
  const std::string variant = preferred();
  const Variable kernels = damage("multiply/" + variant + ".cl", kCrash);
  const Engine own, adopted = interop::adopt(interop::context(own), interop::device(own));
  const auto c = product(adopted);
  EXPECT_TRUE(is_right(c));
  EXPECT_NE(c.ran.variant(), variant);
}

}  // namespace
}  // namespace tessera::test
