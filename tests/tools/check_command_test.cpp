// tessera check: types on the command line, and kernels that crash or hang, which fail only their
// own rows.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "run_command.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

class CheckCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (engine().device().type != DeviceType::cpu)
      GTEST_SKIP() << "a GPU that is made to crash may stay so";
  }

  /// Runs a check of float products in which `body` is the kernel naive.
  Outcome check(const std::string& body, const std::string& more = "") const {
    folder_.file(
        "cl/multiply/naive.cl",
        "#include \"common/product.cl\"\n"
        "kernel void multiply_naive(const Shape shape, const number alpha, const number "
        "beta, global const element* restrict a, const Layout a_at, global const element* "
        "restrict b, const Layout b_at, global element* restrict c, const Layout c_at) { " +
            body + " }\n");
    return run_command("check --operation multiply --dtype float --largest 16 --json " + more,
                       folder_.path(), "TESSERA_KERNEL_DIR=cl TESSERA_SELF_CHECK=20");
  }

  /// The row of naive has failed, with this reason; all others are as they would be.
  static void expect_one_failure(const Outcome& outcome, const std::string& reason) {
    EXPECT_EQ(outcome.status, 1) << outcome.errors;
    const Json all = Json::parse(outcome.output);
    EXPECT_EQ(all["failed"], 1);
    EXPECT_GT(all["passed"], 3);
    EXPECT_GT(all["checks"].size(), 10);
    for (const Json& row : all["checks"]) {
      EXPECT_EQ(row["result"] == "failed", row["variant"] == "naive") << row;
      if (row["variant"] != "naive") continue;
      EXPECT_NE(row["failures"].dump().find(reason), std::string::npos) << row;
    }
  }

  Folder folder_;
};

TEST_F(CheckCommandTest, ACrashIsTheRowsFailureAndTheNextGoesOn) {
  expect_one_failure(check("*(volatile global uint*)0 = 1;"),
                     "crashed: the process was killed by signal 11");
}

TEST_F(CheckCommandTest, AHangIsTheRowsFailureAndTheNextGoesOn) {
  expect_one_failure(check("for (volatile uint endless = 1; endless != 0;) {}"),
                     "crashed: the process took more than 20 s");
}

TEST_F(CheckCommandTest, WithoutADeviceTheStatusIsThatOfAnyCommand) {
  const Outcome outcome = check("", "--device nothing");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.errors.find("tessera: no device \"nothing\""), std::string::npos)
      << outcome.errors;
}

TEST(CheckTypesTest, ChecksTheTypesThatAreNamed) {
  const Folder folder;
  const auto checked = [&](const std::string& types) {
    const Json json = json_of(run_command(
        "check --operation multiply --variant naive --largest 16 --json " + types, folder.path()));
    std::set<std::string> found;
    for (const Json& check : json["checks"])
      found.insert(check["dtype"].get<std::string>() + " " + check.value("out_dtype", "usual"));
    return found;
  };
  using Types = std::set<std::string>;
  EXPECT_EQ(checked("--dtype half"), (Types{"half usual", "half float"}));
  EXPECT_EQ(checked("--dtype 'half -> float'"), Types{"half float"});
  EXPECT_EQ(checked("--dtype half --out-dtype half"), Types{"half usual"});
  EXPECT_EQ(checked("--out-dtype float"), (Types{"float usual", "half float", "bfloat16 float"}));
  const Outcome text =
      run_command("check --variant naive --dtype 'half -> float' --largest 16", folder.path());
  EXPECT_NE(text.output.find(" half -> float "), std::string::npos) << text.output;
}

}  // namespace
}  // namespace tessera::test
