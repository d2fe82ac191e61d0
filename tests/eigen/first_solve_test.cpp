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
  /// Kernels of which the one that ends a solve has `wrong` in place of `right`.
  Variable damage(const std::string& right, const std::string& wrong) const {
    const std::string file = "eigenpair/finish.cl";
    std::string text = runtime::joined_source(std::vector<std::string>{file});
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
