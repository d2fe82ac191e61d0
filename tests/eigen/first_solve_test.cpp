// Kernels that compute wrong eigenpairs on this machine are found out before their first use.
#include <gtest/gtest.h>

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "runtime/kernel_source.hpp"
#include "support/folder.hpp"
#include "support/message_of.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

class FirstSolveTest : public testing::Test {
 protected:
  /// Kernels with `wrong` in place of `right` in the kernel that ends a solve.
  Variable damage(const std::string& right, const std::string& wrong) const {
    return damage("eigenpair/finish.cl", right, wrong);
  }
  Variable damage(const std::string& file, const std::string& right,
                  const std::string& wrong) const {
    std::string text = runtime::kernel_text(file);
    const std::size_t at = text.find(right);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, right.size(), wrong);
    folder_.file("cl/" + file, text);
    return Variable("TESSERA_KERNEL_DIR", (folder_.path() / "cl").string());
  }

  static EigenPair<float> solve(const EigenOptions& options = {}) {
    return dominant_eigenpair(Matrix<float>(Engine(), {{2, 1}, {1, 2}}), options);
  }

 private:
  Folder folder_;
  Variable cache_{"TESSERA_CACHE", (folder_.path() / "cache").string()};
};

TEST_F(FirstSolveTest, AWrongEigenvectorIsAnError) {
  const Variable kernels = damage("(element)entry", "(element)(entry * entry)");
  for (int i = 0; i < 2; i++) {  // that it was wrong is found again
    const auto message = message_of([] { solve(); });
    EXPECT_NE(message.find("a small matrix came out wrong on"), std::string::npos) << message;
    EXPECT_NE(message.find("of the eigenvector is"), std::string::npos) << message;
  }
}

TEST_F(FirstSolveTest, AnIntervalBesideTheEigenvalueIsAnErrorByEveryMethod) {
  const Variable kernels = damage("lowest, highest, middle", "highest, highest, middle");
  for (const auto method :
       {EigenMethod::implicit, EigenMethod::fused, EigenMethod::explicit_steps}) {
    EigenOptions options;
    options.method = method;
    const auto message = message_of([&] { solve(options); });
    EXPECT_NE(message.find("the eigenvalue is"), std::string::npos) << message;
  }
}

/// Not even the bounds of the small matrix's own row sums are as wide.
constexpr const char* kRound = "implicit_round/row_per_item.cl";

/// The message of a solve in double whose proof is compensated.
std::string compensated_solve() {
  return message_of([] {
    dominant_eigenpair(Matrix<double>(Engine("cpu"), {{2, 1}, {1, 2}}),
                       {.tolerance = 1e-13, .accumulator = Accumulator::compensated});
  });
}

TEST_F(FirstSolveTest, ACompensatedSumThatLosesALittleIsAnError) {
  const Variable kernels = damage(
      "common/wide.cl", "static inline Pair pair_from(const Sum sum) { return sum; }",
      "static inline Pair pair_from(const Sum sum) {\n"
      "  const Pair result = {sum.high * (component)(1 + 1e-13), sum.low};\n  return result;\n}");
  EXPECT_NE(compensated_solve().find("came out wrong"), std::string::npos) << compensated_solve();
}

TEST_F(FirstSolveTest, ARowThatIsWrongAfterTheTwoHundredthIsAnError) {
  const Variable kernels =
      damage(kRound, "store_pair(ratio, s, n, i);",
             "store_pair(scale_pair(ratio, n > 200 && i == n - 1 ? 1.001f : 1), s, n, i);");
  EXPECT_NE(compensated_solve().find("came out wrong"), std::string::npos) << compensated_solve();
}

TEST_F(FirstSolveTest, ANegativeElementThatIsOverlookedIsAnError) {
  const Variable kernels = damage("common/eigenpair.cl", "!(minimum >= 0) ||", "");
  EXPECT_NE(compensated_solve().find("a row with a bad element was not reported"),
            std::string::npos)
      << compensated_solve();
}

TEST_F(FirstSolveTest, AWrongTranspositionIsAnError) {
  const Variable kernels =
      damage("eigenpair/transpose.cl", "= tile[x][y]", "= top + x >= 64 ? tile[y][x] : tile[x][y]");
  const auto message = message_of([] {
    dominant_eigenpair(Matrix<float>(Engine(), {{2, 1}, {1, 2}}).transposed());
  });
  EXPECT_NE(message.find("a small transposition came out wrong"), std::string::npos) << message;
}

/// A matrix of period 2 is solved by the host, too.
TEST_F(FirstSolveTest, BoundsThatContradictTheHostsAreAnError) {
  const Variable kernels = damage("lowest, highest, middle", "{5, 0}, {6, 0}, middle"),
                 off("TESSERA_SELF_CHECK", "off");
  const auto message = message_of([] {
    dominant_eigenpair(Matrix<double>(Engine(), {{0, 1}, {4, 0}}), {.max_rounds = 200});
  });
  EXPECT_NE(message.find("computes wrong: its eigenvalue is from "), std::string::npos) << message;
}

TEST_F(FirstSolveTest, CallersMayBeContentWithWideBounds) {
  for (const auto method :
       {EigenMethod::implicit, EigenMethod::fused, EigenMethod::explicit_steps}) {
    EXPECT_TRUE(solve({.method = method, .tolerance = 0.5}).converged);
  }
}

TEST_F(FirstSolveTest, CanBeTurnedOff) {
  const Variable kernels = damage("(element)entry", "(element)(entry * entry)"),
                 off("TESSERA_SELF_CHECK", "off");
  EXPECT_NO_THROW(solve());
}

TEST_F(FirstSolveTest, KernelsThatTheCallerNamedAreUsed) {
  const Variable kernels = damage("(element)entry", "(element)(entry * entry)");
  const bool is_cpu = Engine().device().type == DeviceType::cpu;
  EigenOptions options;
  options.kernels["implicit_round"] = {is_cpu ? "row_per_item" : "row_per_group", {}};
  EXPECT_NO_THROW(solve(options));
}

}  // namespace
}  // namespace tessera::test
