// The command: its options, its JSON, its output files.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

TEST(CommandTest, MultipliesWithEveryOption) {
  const Folder folder;
  folder.file("a.csv", "1,2,3\n4,5,6\n");
  folder.file("b.csv", "1,0,2\n0,1,1\n");
  folder.file("c0.csv", "1,1,1\n1,1,1\n1,1,1\n");
  const Outcome outcome = run_command(
      "multiply a.csv b.csv --transpose-a --alpha 2 --beta 10 --c c0.csv --kernel tiled_dynamic "
      "--set TILE=4 --dtype int32 "
      "--repeat 3 --verify -o c.npy --json",
      folder.path());
  const Json json = json_of(outcome);
  EXPECT_EQ(json["kernel"], "tiled_dynamic");
  EXPECT_EQ(json["parameters"], (Json{{"TILE", 4}}));
  EXPECT_EQ(json["problem"], (Json{{"schema", 1},
                                   {"op", "multiply"},
                                   {"dtype", "int32"},
                                   {"m", 3},
                                   {"n", 3},
                                   {"k", 2},
                                   {"op_a", "transpose"},
                                   {"alpha", 2},
                                   {"beta", 10}}));
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["max_error"], 0);
  EXPECT_EQ(json["repetitions"], 3);
  EXPECT_LE(json["seconds_min"], json["seconds"]);
  EXPECT_LE(json["seconds"], json["seconds_max"]);
  EXPECT_TRUE(json["gflops"].is_number());
  EXPECT_TRUE(json["device"].is_string());
  EXPECT_EQ(outcome.errors, "");
  const std::string content = folder.content("c.npy");
  EXPECT_NE(content.find("'descr': '<i4', 'fortran_order': False, 'shape': (3, 3)"),
            std::string::npos);
  EXPECT_EQ(content.find('\n') % 64, 63u) << "the data is aligned";
  EXPECT_EQ(content.substr(content.find('\n') + 1),
            bytes_of<std::int32_t>({12, 18, 22, 14, 20, 28, 16, 22, 34}));
}

TEST(CommandTest, PreparesNothingButTheProductThatItRuns) {
  const Folder folder;
  const Outcome outcome =
      run_command("multiply ones:30x20 ones:20x40 --repeat 2", folder.path(), "TESSERA_LOG=info");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("multiply float 30 x 40 x 20"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.errors.find("multiply float 2 x 2 x 2"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("matrix_vector"), std::string::npos) << outcome.errors;
}

TEST(CommandTest, MultipliesABatch) {
  const Folder folder;
  folder.file("a.csv", "1,2\n3,4\n");
  folder.file("b.csv", "5\n6\n7\n8\n");
  folder.file("c0.csv", "1\n1\n");
  const Outcome outcome = run_command(
      "multiply a.csv b.csv --batch 2 --beta 10 --c c0.csv --dtype int32 --verify -o c.npy --json",
      folder.path());
  const Json json = json_of(outcome);
  EXPECT_EQ(json["problem"]["op"], "multiply");
  EXPECT_EQ(json["problem"]["batch"], 2);
  EXPECT_EQ(json["problem"]["m"], 1);
  EXPECT_EQ(json["elements_verified"], 2);
  EXPECT_EQ(json["verified"], true);
  const std::string content = folder.content("c.npy");
  EXPECT_EQ(content.substr(content.find('\n') + 1),
            bytes_of<std::int32_t>({5 + 12 + 10, 21 + 32 + 10}));
  const Outcome unequal = run_command("multiply ones:5x3 ones:6x2 --batch 2", folder.path());
  EXPECT_EQ(unequal.status, 2);
  EXPECT_EQ(unequal.errors.find("tessera: ones:5x3 has 5 rows, which are not 2 equal blocks"), 0u)
      << unequal.errors;
}

TEST(CommandTest, ProductsOfInt8AreWrittenAsInt32) {
  const Folder folder;
  const std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }";
  folder.file("a.npy", npy(header, bytes_of<std::int8_t>({-128, 127, 1, -1})));
  folder.file("c0.csv", "100000,0\n0,-100000\n");
  const Outcome outcome = run_command(
      "multiply a.npy a.npy --transpose-b --alpha 1000 --beta 2 --c c0.csv --verify -o c.npy "
      "--json",
      folder.path());
  const Json json = json_of(outcome);
  EXPECT_EQ(json["problem"]["dtype"], "int8");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["max_error"], 0);
  const std::string content = folder.content("c.npy");
  EXPECT_NE(content.find("'descr': '<i4'"), std::string::npos);
  EXPECT_EQ(content.substr(content.find('\n') + 1),
            bytes_of<std::int32_t>({32713000, -255000, -255000, -198000}));
}

TEST(CommandTest, ProductsOfHalfAreFloatOnRequest) {
  const Folder folder;
  const std::string product = "multiply ones:1x4097 ones:4097x1 --verify -o c.npy --json ";
  const auto result = [&](const std::string& types) {
    const Json json = json_of(run_command(product + types, folder.path()));
    EXPECT_EQ(json["problem"]["dtype"], "half");
    EXPECT_EQ(json["verified"], true);
    return json["problem"].value("out_dtype", "");
  };
  EXPECT_EQ(result("--dtype half"), "");
  EXPECT_TRUE(folder.content("c.npy").ends_with(bytes_of<std::uint16_t>({0x6c00}))) << "4096";
  for (const char* types : {"--dtype half --out-dtype float", "--dtype 'half -> float'"}) {
    EXPECT_EQ(result(types), "float");
    EXPECT_NE(folder.content("c.npy").find("'descr': '<f4'"), std::string::npos);
    EXPECT_TRUE(folder.content("c.npy").ends_with(bytes_of({4097.0f})));
  }
  folder.file("c0.csv", "0.5,0.1\n");
  const Outcome text =
      run_command("multiply ones:1x2 ones:2x2 --dtype half --out-dtype float --beta 2 --c c0.csv",
                  folder.path());
  EXPECT_TRUE(text.output.starts_with("1 x 2, k 2, half -> float on ")) << text.output;
  EXPECT_NE(text.output.find("elements of c0.csv are rounded to float\n"), std::string::npos);
  EXPECT_NE(text.output.find("            3          2.2\n"), std::string::npos) << text.output;
}

TEST(CommandTest, Int8BesideWiderIntegersIsInt32) {
  const Folder folder;
  const auto file = [](const char* type, const std::string& content) {
    return npy("{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (1, 1), }",
               content);
  };
  folder.file("a.npy", file("|i1", bytes_of<std::int8_t>({-3})));
  folder.file("b.npy", file("<i4", bytes_of<std::int32_t>({100000})));
  const Outcome outcome =
      run_command("multiply a.npy b.npy --verify -o c.npy --json", folder.path());
  const Json json = json_of(outcome);
  EXPECT_EQ(json["problem"]["dtype"], "int32");
  EXPECT_EQ(json["verified"], true);
  const std::string content = folder.content("c.npy");
  EXPECT_EQ(content.substr(content.find('\n') + 1), bytes_of<std::int32_t>({-300000}));
}

TEST(CommandTest, ComparesEveryKernelForInt8) {
  const Folder folder;
  const Json json = json_of(run_command(
      "multiply random:40x50 random:50x30 --dtype int8 --every-kernel --json", folder.path()));
  EXPECT_GE(json["kernels"].size(), 5u);
  for (const Json& kernel : json["kernels"]) {
    EXPECT_EQ(kernel["problem"]["dtype"], "int8");
    EXPECT_EQ(kernel["verified"], true) << kernel;
  }
}

TEST(CommandTest, ClearsWhatAWriterThatWasKilledLeft) {
  namespace fs = std::filesystem;
  const Folder folder;
  for (const char* name :
       {".tessera-aBc123", ".tessera-aBc124", "o.npy.aBc123", ".tessera-notes"}) {
    folder.file(name, "a part of a matrix");
    if (name != std::string(".tessera-aBc124"))
      fs::last_write_time(folder.path() / name,
                          fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  fs::create_symlink("o.npy.aBc123", folder.path() / ".tessera-linked");
  EXPECT_EQ(run_command("multiply ones:2x2 ones:2x2 -o o.npy", folder.path()).status, 0);
  EXPECT_FALSE(fs::exists(folder.path() / ".tessera-aBc123"));
  for (const char* name : {".tessera-aBc124", "o.npy.aBc123", ".tessera-notes", ".tessera-linked"})
    EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
}

TEST(CommandTest, PrintsSmallProducts) {
  const Folder folder;
  const Outcome outcome = run_command("multiply ones:2x3 ones:3x2", folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("            3            3\n"), std::string::npos)
      << outcome.output;
}

TEST(CommandTest, EmptyProductsAreProducts) {
  const Folder folder;
  EXPECT_EQ(run_command("multiply ones:0x3 ones:3x2 -o c.npy --verify", folder.path()).status, 0);
  EXPECT_NE(folder.content("c.npy").find("'shape': (0, 2)"), std::string::npos);
}

TEST(CommandTest, OverwritesAnOutputWholly) {
  const Folder folder;
  folder.file("c.npy", std::string(100000, 'x'));
  EXPECT_EQ(run_command("multiply ones:2x2 ones:2x2 -o c.npy", folder.path()).status, 0);
  EXPECT_TRUE(folder.content("c.npy").starts_with("\x93NUMPY"));
  EXPECT_LT(folder.content("c.npy").size(), 1000u);
}

TEST(CommandTest, AnOutputKeepsItsPermissions) {
  namespace fs = std::filesystem;
  const Folder folder;
  folder.file("c.npy", "private");
  fs::permissions(folder.path() / "c.npy", fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(run_command("multiply ones:2x2 ones:2x2 -o c.npy", folder.path()).status, 0);
  EXPECT_EQ(fs::status(folder.path() / "c.npy").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(CommandTest, ComparesEveryKernel) {
  const Folder folder;
  const Json json = json_of(
      run_command("multiply random:40x50 random:50x30 --every-kernel --json", folder.path()));
  EXPECT_GT(json["host_loop_seconds"], 0);
  EXPECT_GE(json["kernels"].size(), 5u);
  for (const Json& kernel : json["kernels"]) EXPECT_EQ(kernel["verified"], true) << kernel;
}

TEST(CommandTest, ListsDevicesWithVariants) {
  const Folder folder;
  const Json json = json_of(run_command("devices --json", folder.path()));
  ASSERT_FALSE(json["devices"].empty());
  const Json& device = json["devices"][0];
  EXPECT_EQ(device["operations"][0]["name"], "multiply");
  const Json& variant = device["operations"][0]["variants"][0];
  for (const char* key : {"name", "runs", "reason", "parameters"})
    EXPECT_TRUE(variant.contains(key)) << key;
  const std::string listed = run_command("devices", folder.path()).output;
  EXPECT_NE(listed.find("multiply/naive"), std::string::npos);
  EXPECT_EQ(listed.find("GROUP_ROWS"), std::string::npos);
  EXPECT_NE(run_command("devices --parameters", folder.path()).output.find("GROUP_ROWS"),
            std::string::npos);
}

TEST(CommandTest, ChecksAVariant) {
  const Folder folder;
  const Json json = json_of(
      run_command("check --variant naive --dtype float32 --largest 32 --json", folder.path()));
  EXPECT_EQ(json["checks"][0]["dtype"], "float") << "as NumPy calls it";
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["failed"], 0);
  EXPECT_GT(json["checks"][0]["trials"], 10);
}

TEST(CommandTest, ACheckThatFindsAWrongKernelFails) {
  const Folder folder;
  std::ifstream original(TESSERA_KERNEL_FOLDER "/common/product.cl");
  std::string product(std::istreambuf_iterator<char>(original), {});
  product.replace(product.find("alpha * sum"), 11, "alpha * sum + 1");
  folder.file("kernels/common/product.cl", product);
  const Outcome outcome = run_command("check --variant naive --dtype float --largest 32",
                                      folder.path(), "TESSERA_KERNEL_DIR=kernels");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("FAILED  multiply/naive"), std::string::npos) << outcome.output;
}

TEST(CommandTest, ProductsSayWhichOperandsAreRounded) {
  const Folder folder;
  folder.file("a.csv", "0.1\n");
  folder.file("b.csv", "0.5\n");
  const std::string product = "multiply a.csv b.csv ";
  EXPECT_EQ(run_command(product, folder.path()).output.find("rounded"), std::string::npos);
  EXPECT_NE(run_command(product + "--dtype float", folder.path())
                .output.find("elements of a.csv are rounded to float\n"),
            std::string::npos);
  EXPECT_EQ(
      json_of(run_command(product + "--dtype float --json", folder.path()))["problem"]["dtype"],
      "float");
}

TEST(CommandTest, LogsWhatRanWhenAsked) {
  const Folder folder;
  const Outcome outcome =
      run_command("multiply ones:2x3 ones:3x2 --kernel tiled_static --set TILE=8", folder.path(),
                  "TESSERA_LOG=info");
  EXPECT_NE(outcome.errors.find(
                "tessera: multiply float 2 x 2 x 3: tiled_static TILE=8 (named by the caller)"),
            std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace tessera::test
