// Help: the text of --help, and where it is printed.
#include <gtest/gtest.h>

#include <string>

#include "run_command.hpp"
#include "tessera/kernel.hpp"

namespace tessera::test {
namespace {

TEST(HelpTest, OnlyCommandsThatReadMatricesExplainThem) {
  const Folder folder;
  const auto explains = [&](const std::string& command, const char* text) {
    return run_command(command + " --help", folder.path()).output.find(text) != std::string::npos;
  };
  for (const char* command : {"multiply", "eigen"})
    EXPECT_TRUE(explains(command, "hilbert:N")) << command;
  for (const char* command :
       {"", "devices", "check", "tune", "profile", "profile show", "cache", "cache clear"}) {
    EXPECT_FALSE(explains(command, "hilbert:N")) << command;
    EXPECT_TRUE(explains(command, "Exit status: 0 done")) << command;
  }
  EXPECT_TRUE(explains("profile show", "$TESSERA_DEVICE"));
  EXPECT_FALSE(explains("cache show", "$TESSERA_DEVICE"));
}

TEST(HelpTest, TellsItsVersionAndItsOptions) {
  const Folder folder;
  EXPECT_TRUE(run_command("--version", folder.path()).output.starts_with("tessera 0."));
  EXPECT_NE(run_command("multiply --help", folder.path()).output.find("--every-kernel"),
            std::string::npos);
}

TEST(HelpTest, BlasNamesItsProgramAndEverySetting) {
  const Folder folder;
  const std::string help = run_command("blas --help", folder.path()).output;
  for (const char* text : {"PROGRAM [ARGUMENTS...]", "explain", "keep=N", "next=FILE"})
    EXPECT_NE(help.find(text), std::string::npos) << text << " in " << help;
}

TEST(HelpTest, EigenTellsItsDefaults) {
  const Folder folder;
  const std::string help = run_command("eigen --help", folder.path()).output;
  for (const char* number : {"1e-06", "0.001", "10000"})
    EXPECT_NE(help.find(number), std::string::npos) << number;
  EXPECT_EQ(help.find("documents"), std::string::npos) << help;
}

TEST(HelpTest, TuneListsItsOperations) {
  const Folder folder;
  const std::string help = run_command("tune --help", folder.path()).output;
  for (const OperationInfo& operation : operations())
    EXPECT_NE(help.find(operation.name), std::string::npos) << operation.name;
}

}  // namespace
}  // namespace tessera::test
