// A kernel that computes wrong values on this machine is passed over, and a right one is used.
#include "kernels/self_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <iterator>
#include <regex>
#include <tessera/check.hpp>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "operations.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/opencl.hpp"
#include "runtime/stream.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t kSize = 64;

class SelfCheckTest : public testing::Test {
 protected:
  /// The kernel that this device prefers for the tests' product.
  static std::string preferred() { return product(Engine(), {}).ran.variant(); }

  static Product<float> product(const Engine& engine, const MultiplyOptions& options) {
    const Matrix<float> a(engine, kSize, kSize, std::vector<float>(kSize * kSize, 1));
    return multiply(a, a, options);
  }

  static bool is_right(const Product<float>& c) {
    return c.to_host() == std::vector<float>(kSize * kSize, kSize);
  }

  /// Makes kernels in which this variant multiplies by alpha + 1.
  Variable damage(const std::string& variant) const {
    const std::string file = "multiply/" + variant + ".cl";
    std::string text = runtime::kernel_text(file);
    text =
        std::regex_replace(text, std::regex("const number alpha\\b"), "const number given_alpha");
    folder_.file("cl/" + file, "#define alpha (given_alpha + 1)\n" + text);
    return Variable("TESSERA_KERNEL_DIR", (folder_.path() / "cl").string());
  }

  std::ptrdiff_t files_kept() const {
    namespace fs = std::filesystem;
    return std::distance(fs::directory_iterator(folder_.path() / "cache"),
                         fs::directory_iterator());
  }

 private:
  Folder folder_;
  Variable cache_{"TESSERA_CACHE", (folder_.path() / "cache").string()};
};

TEST_F(SelfCheckTest, AWrongKernelIsPassedOverUnlessItIsNamed) {
  const std::string variant = preferred();
  const Variable kernels = damage(variant);
  for (int i = 0; i < 2; i++) {  // that it was wrong is found again
    const Engine engine;
    testing::internal::CaptureStderr();
    const auto c = product(engine, {});
    EXPECT_NE(testing::internal::GetCapturedStderr().find("tessera: warning: "), std::string::npos);
    EXPECT_TRUE(is_right(c));
    EXPECT_NE(c.ran.variant(), variant);
    EXPECT_NE(c.ran.reason().find(variant + " is not used here: a small problem came out wrong"),
              std::string::npos)
        << c.ran.reason();
    EXPECT_FALSE(is_right(product(engine, {.kernel = {variant, {}}})));
  }
}

TEST_F(SelfCheckTest, CanBeTurnedOff) {
  const std::string variant = preferred();
  const Variable kernels = damage(variant), off("TESSERA_SELF_CHECK", "off");
  const auto c = product(Engine(), {});
  EXPECT_EQ(c.ran.variant(), variant);
  EXPECT_FALSE(is_right(c));
}

TEST_F(SelfCheckTest, WhatWasRightIsRemembered) {
  {
    const Variable off("TESSERA_SELF_CHECK", "off");
    product(Engine(), {});
  }
  const auto programs = files_kept();
  for (int i = 0; i < 2; i++) {
    EXPECT_TRUE(is_right(product(Engine(), {})));
    EXPECT_EQ(files_kept(), programs + 2) << "that a child process survived it, too";
  }
}

TEST_F(SelfCheckTest, DoesNotWaitForTheCallersStream) {
  const Engine engine;
  const Matrix<float> a(engine, kSize, kSize, std::vector<float>(kSize * kSize, 1));
  cl::UserEvent later(cl::Context(interop::context(engine), true));
  engine.wait_for({interop::event(later())});
  auto called = std::async(std::launch::async, [&] { return multiply(a, a); });
  EXPECT_EQ(called.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  later.setStatus(CL_COMPLETE);
  EXPECT_TRUE(is_right(called.get()));
}

TEST_F(SelfCheckTest, DoesNotReportFailuresOfOtherStreams) {
  const Engine engine;
  const Stream other = engine.new_stream();
  const Matrix<float> a(engine, kSize, kSize, std::vector<float>(kSize * kSize, 1));
  cl::UserEvent failed(cl::Context(interop::context(engine), true));
  runtime::stream_of(other).commands().note(interop::event(failed()));
  failed.setStatus(CL_OUT_OF_RESOURCES);
  EXPECT_NO_THROW(multiply(a, a));
  EXPECT_THROW(other.finish(), OpenClError);
}

TEST_F(SelfCheckTest, WithoutMemoryForItTheKernelIsUsedUnchecked) {
  const Variable kernels = damage(preferred());
  const runtime::Context& whole = runtime::stream_of(engine()).context();
  runtime::Device small = whole.device();
  small.info.global_memory = small.info.max_allocation = 8 << 20;
  const auto context = std::make_shared<runtime::Context>(small, whole.handle(), false, "off");
  const auto own = detail::Access::make<Engine>(context);
  const Matrix<float> a(own, kSize, kSize, std::vector<float>(kSize * kSize, 1));
  Matrix<float> c(own, kSize, kSize);
  auto& budget = context->budget();
  // Enough for a product, which needs some for each compute unit, but not for a check's operands.
  const std::uint64_t scratch =
      std::min<std::uint64_t>(whole.device().info.compute_units * (20 << 10), 1 << 20);
  const auto rest =
      budget.reserve(budget.capacity() - budget.live() - scratch, "nearly all that is left");
  EXPECT_NO_THROW(multiply_into(c, a, a));
}

TEST_F(SelfCheckTest, EveryOperationHasFirstCases) {
  for (const kernels::Operation* operation : operation_tables()) {
    ASSERT_TRUE(operation->first_cases) << operation->name;
    for (const ProductTypes& types : operation->types) {
      const auto cases = operation->first_cases({.operation = operation->name, .types = types}, {});
      ASSERT_FALSE(cases.empty()) << operation->name;
      for (const CheckCase& first : cases) {
        EXPECT_EQ(first.problem.operation, operation->name);
        EXPECT_EQ(first.problem.types, types);
      }
      const CheckResult result = check(engine(), cases.back());
      EXPECT_EQ(result.failure, "") << describe(cases.back());
      EXPECT_GT(result.verification.elements, 0u) << describe(cases.back());
    }
  }
}

/// `tessera check` tries what the first use does, in every transpose.
TEST_F(SelfCheckTest, TheFirstCasesAreAmongThoseOfTheCheck) {
  for (const std::string operation : {"multiply", "matrix_vector"}) {
    for (const VariantInfo& variant : info_of(operation).variants) {
      if (!variant.runs_on(engine(), ElementType::float32)) continue;
      const Parameters parameters = variant.resolve(engine(), ElementType::float32, {});
      const auto all = check_cases(operation, ElementType::float32, parameters, true);
      for (const bool transpose : {false, true}) {
        const Problem problem{.operation = operation,
                              .op_a = op_if(transpose),
                              .op_b = op_if(transpose && operation == "multiply")};
        for (const CheckCase& first : find_operation(operation).first_cases(problem, parameters)) {
          EXPECT_TRUE(std::ranges::any_of(all,
                                          [&](const CheckCase& one) {
                                            return one.problem == first.problem &&
                                                   one.strided == first.strided &&
                                                   one.non_finite == first.non_finite;
                                          }))
              << variant.name() << ": " << describe(first);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
