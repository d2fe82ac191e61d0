// Cases: files of other programs that once were misread, refused or misproven, each with the right
// result.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

std::string case_file(const std::string& name) { return "'" TESSERA_CASES "/" + name + "'"; }

/// Read: a file and its elements, as CSV in double.
struct Read {
  const char* name;
  const char* file;
  const char* rows;  ///< of the identity before it
  const char* content;
};

class ReadCaseTest : public testing::TestWithParam<Read> {};

TEST_P(ReadCaseTest, GivesItsNumbers) {
  const Folder folder;
  const Outcome outcome = run_command(std::string("multiply identity:") + GetParam().rows + " " +
                                          case_file(GetParam().file) + " --dtype double -o -",
                                      folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, GetParam().content);
}

INSTANTIATE_TEST_SUITE_P(
    Command, ReadCaseTest,
    testing::Values(Read{"Utf16", "utf16.csv", "2", "1,2\n3,4\n"},
                    Read{"Fractions", "fractions.csv", "2", "1,0.3333333333333333\n3,1\n"},
                    Read{"Header", "header.csv", "2", "1,2\n3,4\n"},
                    Read{"CommentOfSavetxt", "savetxt_comment.csv", "2", "1,2\n3,4\n"},
                    Read{"BlanksOfSavetxt", "savetxt_default.csv", "2", "1,2\n3,4\n"},
                    Read{"SemicolonsAndDecimalCommas", "semicolons.csv", "2", "1.5,2.25\n3,4.75\n"},
                    Read{"FortranExponents", "fortran_exponent.mtx", "2", "1.5,0\n0,-2\n"},
                    Read{"PythonTwo", "python2_shape.npy", "2", "1,2,3\n4,5,6\n"},
                    Read{"Pattern", "pattern.mtx", "3", "0,1,0\n1,0,1\n0,1,0\n"},
                    Read{"NetworkRepository", "network_repository.mtx", "4",
                         "0,1,1,0\n1,0,1,0\n1,1,0,1\n0,0,1,0\n"},
                    Read{"FreeFormat", "free_format.mtx", "5",
                         "1,0,0,6,0\n0,10.5,0,0,0\n0,0,0.015,0,0\n0,250.5,0,-280,3\n0,0,0,0,12\n"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CasesTest, AFileThatIsRefusedIsNamedWithWhatItHas) {
  const Folder folder;
  const auto errors = [&](const std::string& file) {
    const Outcome outcome = run_command("multiply identity:2 " + case_file(file), folder.path());
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    return outcome.errors;
  };
  EXPECT_NE(errors("pandas_index.csv").find("line 1: is a header whose first name is empty"),
            std::string::npos);
  EXPECT_NE(errors("matlab_skew.mtx")
                .find("line 4: there is more than the sizes promise; the array "
                      "of a skew-symmetric matrix is without the diagonal"),
            std::string::npos);
}

struct Root {
  const char* name;
  const char* arguments;
  long double root;
};

class RootCaseTest : public testing::TestWithParam<Root> {};

TEST_P(RootCaseTest, IsInsideOfWhatIsPrintedAndOfJson) {
  const Folder folder;
  const std::string arguments = "eigen '" TESSERA_CASES "/'" + std::string(GetParam().arguments);
  const Outcome text = run_command(arguments, folder.path());
  EXPECT_EQ(text.status, 0) << text.errors;
  const auto [lower, upper] = printed_bounds(text.output);
  EXPECT_LE(lower, GetParam().root) << text.output;
  EXPECT_GE(upper, GetParam().root) << text.output;
  const Json json = Json::parse(run_command(arguments + " --json", folder.path()).output);
  EXPECT_LE(json["lower"].get<double>(), GetParam().root) << json;
  EXPECT_GE(json["upper"].get<double>(), GetParam().root) << json;
  EXPECT_LE(json["upper"].get<double>() - json["lower"].get<double>(), 1.3e-6 * GetParam().root);
}

INSTANTIATE_TEST_SUITE_P(
    Command, RootCaseTest,
    testing::Values(
        // x^3 - 0.715 x - 0.3465
        Root{"Postreproductive", "postreproductive.csv --transpose", 1.0260181835747591547L},
        Root{"PostreproductiveToTheEnd", "postreproductive.csv --transpose --tolerance 1e-14",
             1.0260181835747591547L},
        Root{"PostreproductiveInFloat", "postreproductive.csv --transpose --dtype float",
             1.0260181835747591547L},
        Root{"Third", "third.csv --tolerance 1e-15", 0.3333333333333333L},
        Root{"ThirdInFloat", "third.csv --dtype float", 0.3333333333333333L},
        Root{"Pattern", "pattern.mtx", 1.4142135623730950488L},
        Root{"NetworkRepository", "network_repository.mtx", 2.1700864866260337L},
        Root{"Semelparous", "semelparous.csv", 2.060236867583793L}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CasesTest, SumsOfInt64DoNotWrapInSilence) {
  const Folder folder;
  const std::string row = case_file("int64_row.npy"),
                    product = "multiply " + row + " " + row + " --transpose-b --verify";
  const Outcome refused = run_command(product, folder.path());
  EXPECT_EQ(refused.status, 2) << refused.output;
  EXPECT_NE(refused.errors.find("--dtype double"), std::string::npos) << refused.errors;
  const Outcome wrapped = run_command(product + " --dtype int32", folder.path());
  EXPECT_EQ(wrapped.status, 1) << wrapped.output;
  EXPECT_NE(wrapped.output.find("1 sum leaves int32"), std::string::npos) << wrapped.output;
  const Outcome exact = run_command(product + " --dtype double -o -", folder.path());
  EXPECT_EQ(exact.status, 0) << exact.errors;
  EXPECT_EQ(exact.output, "51404091185\n");
}

TEST(CasesTest, AMaskTimesDoublesIsDouble) {
  const Folder folder;
  const std::string mask = case_file("bool.npy"), numbers = case_file("double.npy");
  EXPECT_EQ(run_command("multiply " + mask + " " + numbers + " -o -", folder.path()).output,
            "0.5,0.25\n0.625,2.25\n");
  EXPECT_EQ(run_command("multiply " + numbers + " " + mask + " -o -", folder.path()).output,
            "0.75,0.25\n2.125,2\n");
}

TEST(CasesTest, AStackIsABatch) {
  const Folder folder;
  const std::string stack = case_file("stack.npy");
  const std::string three = "2,3\n6,11\n46,55\n66,79\n154,171\n190,211\n";
  for (const char* batch : {"", " --batch 3"}) {
    const std::string product = "multiply " + stack + " " + stack + batch;
    EXPECT_EQ(run_command(product + " -o -", folder.path()).output, three) << batch;
    EXPECT_EQ(run_command(product + " --verify -o c.npy", folder.path()).status, 0);
    EXPECT_NE(folder.content("c.npy").find("'shape': (3, 2, 2)"), std::string::npos);
  }
  EXPECT_EQ(run_command("multiply " + stack + " identity:2 -o -", folder.path()).output,
            "0,1\n2,3\n4,5\n6,7\n8,9\n10,11\n")
      << "as NumPy, one matrix goes with each";
  const Outcome two = run_command("multiply " + stack + " " + stack + " --batch 2", folder.path());
  EXPECT_EQ(two.status, 2);
  EXPECT_NE(two.errors.find("is a stack of 3 matrices: --batch 2 does not go with it"),
            std::string::npos)
      << two.errors;
  const Outcome eigen = run_command("eigen " + stack, folder.path());
  EXPECT_EQ(eigen.status, 2);
  EXPECT_NE(eigen.errors.find("stack.npy: is a stack of 3 matrices"), std::string::npos);
}

TEST(CasesTest, AnOutputIsMadeWhereADanglingLinkPoints) {
  namespace fs = std::filesystem;
  const Folder folder;
  fs::create_directory(folder.path() / "store");
  fs::create_symlink("store/next.npy", folder.path() / "o.npy");
  fs::create_symlink("new.npy", folder.path() / "store/next.npy");
  EXPECT_EQ(run_command("multiply identity:2 identity:2 -o o.npy", folder.path()).status, 0);
  EXPECT_TRUE(fs::is_symlink(folder.path() / "o.npy"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "store/next.npy"));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.path() / "store/new.npy")));
  fs::create_symlink("b.npy", folder.path() / "a.npy");
  fs::create_symlink("a.npy", folder.path() / "b.npy");
  const Outcome loop = run_command("multiply identity:2 identity:2 -o a.npy", folder.path());
  EXPECT_EQ(loop.status, 2);
  EXPECT_NE(loop.errors.find("a.npy: cannot be written: Too many levels of symbolic links"),
            std::string::npos)
      << loop.errors;
  EXPECT_TRUE(fs::is_symlink(folder.path() / "a.npy"));
}

}  // namespace
}  // namespace tessera::test
