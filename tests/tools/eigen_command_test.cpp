// tessera eigen: its methods, its interval, its vector.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

/// The printed bounds are those, or closely outside of them.
void expect_bounds(const std::string& output, double lower, double upper) {
  const auto [printed_lower, printed_upper] = printed_bounds(output);
  EXPECT_LE(printed_lower, lower) << output;
  EXPECT_GE(printed_upper, upper) << output;
  EXPECT_LE(printed_upper - printed_lower, upper - lower + 1e-13) << output;
}

TEST(EigenCommandTest, FindsTheDominantEigenpair) {
  const Folder folder;
  for (const char* method : {"implicit", "fused", "explicit"}) {
    const auto json =
        json_of(run_command("eigen hilbert:128 --stop neighbours --history --json -o v.npy "
                            "--method " +
                                std::string(method),
                            folder.path()));
    EXPECT_EQ(json["method"], method) << "as --method takes it";
    EXPECT_EQ(json["rounds"], 9) << method;
    EXPECT_EQ(json["history"].size(), 10) << method;
    EXPECT_EQ(json["reason"], "converged");
    EXPECT_LE(json["lower"], json["upper"]);
    EXPECT_NE(folder.content("v.npy").find("(128, 1)"), std::string::npos);
  }
  folder.file("periodic.csv", "0,2\n3,0\n");
  const Outcome outcome = run_command("eigen periodic.csv", folder.path());
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("eigenvalue 2.449489"), std::string::npos) << outcome.output;
  folder.file("reducible.csv", "3,1\n0,2\n");
  const Outcome blocks = run_command("eigen reducible.csv", folder.path());
  EXPECT_NE(blocks.output.find("reducible: irreducible blocks 2, with this eigenvalue 1"),
            std::string::npos)
      << blocks.output;
  const Outcome cut = run_command("eigen periodic.csv --max-rounds 3", folder.path());
  EXPECT_EQ(cut.status, 1);
  expect_bounds(cut.output, 2, 3);
  EXPECT_NE(cut.output.find("max_rounds"), std::string::npos) << cut.output;
  EXPECT_EQ(cut.output.find("the middle"), std::string::npos) << cut.output;
  const auto ones = run_command("eigen ones:3x3 --max-iterations 9", folder.path()).output;
  expect_bounds(ones, 3, 3);
  EXPECT_LT(ones.find("eigenvalue proven to be from "), ones.find("eigenvalue 3,")) << ones;
  EXPECT_NE(ones.find("converged after 0 iterations"), std::string::npos) << ones;
  const auto document = run_command("eigen hilbert:128 --stop neighbours", folder.path()).output;
  EXPECT_NE(document.find("converged after 9 rounds"), std::string::npos) << document;
}

TEST(EigenCommandTest, AnIntervalIsThatOfTheMatrixThatWasNamed) {
  const Folder folder;
  constexpr double kHilbert = 2.44526794210947;  // of 1024 rows
  const auto expect_root = [&](const std::string& arguments, double below, double above) {
    const Json json = Json::parse(run_command(arguments + " --json", folder.path()).output);
    EXPECT_LE(json["lower"], below) << arguments << json;
    EXPECT_GE(json["upper"], above) << arguments << json;
    return json;
  };
  const auto digits = [](double root) { return std::pair(root - 5e-15, root + 5e-15); };
  const auto [below, above] = digits(kHilbert);
  EXPECT_EQ(expect_root("eigen hilbert:1024 --tolerance 1e-11", below, above)["dtype"], "double");
  const Json rounded = expect_root("eigen hilbert:1024 --dtype float", below, above);
  EXPECT_EQ(rounded["input_rounding"], 0x1p-24);
  EXPECT_EQ(rounded["converged"], true);
  const Json wide = expect_root("eigen hilbert:1024 --dtype float --tolerance 1e-9", below, above);
  EXPECT_EQ(wide["converged"], false) << "the rounding is wider";
  EXPECT_EQ(wide["reason"], "rounding");
  folder.file("long.npy", npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }",
                              bytes_of<std::int64_t>({9007199254740993})));
  expect_root("eigen long.npy", 9007199254740992.0, 9007199254740994.0);
  expect_root("eigen long.npy --dtype float", 9007199254740992.0, 9007199254740994.0);
}

TEST(EigenCommandTest, AnIntervalThatCannotBeWidenedIsSaidToBeOfARoundedMatrix) {
  const Folder folder;
  const auto expect_said = [&](const std::string& arguments, const std::string& type) {
    const Outcome outcome = run_command("eigen " + arguments, folder.path());
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("eigenvalue of A rounded to " + type + " proven to be from "),
              std::string::npos)
        << outcome.output;
    const Json json = json_of(run_command("eigen " + arguments + " --json", folder.path()));
    EXPECT_TRUE(json["input_rounding"].is_null()) << json;
  };
  folder.file("small.csv", "1,1e-40\n1e-40,2\n");
  expect_said("small.csv --dtype float", "float");
  folder.file("subnormal.csv", "1,1e-310\n1e-310,2\n");
  expect_said("subnormal.csv", "double");
  folder.file("sum.mtx",
              "%%MatrixMarket matrix coordinate real general\n1 1 3\n1 1 0.1\n1 1 1\n1 1 -1\n");
  expect_said("sum.mtx", "double");
}

TEST(EigenCommandTest, ShowsAndWritesEigenvectors) {
  const Folder folder;
  EXPECT_NE(run_command("eigen ones:2x2", folder.path()).output.find("\neigenvector 1 1\n"),
            std::string::npos);
  EXPECT_EQ(run_command("eigen ones:2x2 -o v.csv", folder.path()).status, 0);
  EXPECT_EQ(folder.content("v.csv"), "1\n1\n");
  const Outcome piped = run_command("eigen ones:2x2 -o -", folder.path());
  EXPECT_EQ(piped.output, "1\n1\n");
  expect_bounds(piped.errors, 2, 2);
}

TEST(EigenCommandTest, LogsThePhasesOfASolve) {
  const Folder folder;
  folder.file("reducible.csv", "3,1\n0,2\n");
  const auto log = [&](const std::string& arguments) {
    return run_command("eigen reducible.csv " + arguments, folder.path(), "TESSERA_LOG=info")
        .errors;
  };
  const auto expect_in_order = [](const std::string& text, const std::vector<std::string>& parts) {
    std::size_t at = 0;
    for (const auto& part : parts) {
      at = text.find("dominant_eigenpair, " + part, at);
      ASSERT_NE(at, std::string::npos) << part << " in " << text;
    }
  };
  expect_in_order(log(""), {"implicit rounds: ", "rounds with restarts: ", "irreducible blocks: "});
  expect_in_order(log("--method fused --acceleration none"),
                  {"fused rounds: ", "implicit rounds: ", "irreducible blocks: "});
}

}  // namespace
}  // namespace tessera::test
