// PTX for one architecture, on paper.
#include "runtime/nvidia_ptx.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tessera::runtime {
namespace {

Binary binary_of(std::string_view text) { return {text.begin(), text.end()}; }

std::string text_of(const Binary& binary) { return {binary.begin(), binary.end()}; }

TEST(NvidiaPtxTest, GetsItsTargetAndItsLines) {
  const auto ptx = with_own_ptx(
      binary_of(".version 9.0\n.target sm_90\n\t// begin inline asm\n\t//@wgmma.fence;\n"));
  ASSERT_TRUE(ptx.has_value());
  EXPECT_EQ(text_of(*ptx), ".version 9.0\n.target sm_90a\n\t// begin inline asm\n\twgmma.fence;\n");
  const auto again = with_own_ptx(*ptx);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(text_of(*again), text_of(*ptx));
}

TEST(NvidiaPtxTest, EachArchitectureGetsItsOwnTarget) {
  for (const std::string number : {"90", "100", "103", "120"}) {
    const auto ptx = with_own_ptx(binary_of(".target sm_" + number + ", texmode_independent\n"));
    ASSERT_TRUE(ptx.has_value()) << number;
    EXPECT_EQ(text_of(*ptx), ".target sm_" + number + "a, texmode_independent\n");
  }
}

TEST(NvidiaPtxTest, NothingElseIsTaken) {
  EXPECT_FALSE(with_own_ptx({}).has_value());
  EXPECT_FALSE(with_own_ptx(binary_of("\x7f"
                                      "ELF"))
                   .has_value());
  EXPECT_FALSE(with_own_ptx(binary_of(".target sm_80\n//@x")).has_value());
  EXPECT_FALSE(with_own_ptx(binary_of(".target sm_90")).has_value());
  EXPECT_FALSE(with_own_ptx(binary_of(".target sm_90x\n")).has_value());
  EXPECT_FALSE(with_own_ptx(binary_of(".target sm_\n")).has_value());
}

TEST(NvidiaPtxTest, SourcesSayWhetherTheyNeedIt) {
  EXPECT_TRUE(has_own_ptx("asm volatile(\"//@wgmma.fence;\")"));
  EXPECT_FALSE(has_own_ptx("// lines that begin with //@ are comments"));
}

}  // namespace
}  // namespace tessera::runtime
