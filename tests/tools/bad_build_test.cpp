// Kernels that do not build, and a platform that cannot write: what the command says of them.
#include <gtest/gtest.h>

#include <string>

#include "run_command.hpp"
#include "support/device.hpp"

namespace tessera::test {
namespace {

TEST(BadBuildTest, DoesNotControlTheTerminal) {
  const Folder folder;
  // The kernel that is preferred here does not build: the next one tells why it runs.
  const std::string multiply = "multiply random:64x64 random:64x64",
                    chosen = run_command(multiply, folder.path()).output;
  const auto name = chosen.find("\nkernel ") + std::string("\nkernel ").size();
  folder.file("cl/multiply/" + chosen.substr(name, chosen.find(' ', name) - name) + ".cl",
              "nothing that compiles\n");
  const Outcome product =
      run_command(multiply, folder.path(),
                  "TESSERA_BUILD_OPTIONS=\"$TESSERA_BUILD_OPTIONS -DX=\x1b[2J\" TESSERA_CACHE=off "
                  "TESSERA_KERNEL_DIR=" +
                      folder.at("cl"));
  EXPECT_EQ(product.status, 0) << product.errors;
  EXPECT_NE(product.output.find("-DX=\\x1b[2J"), std::string::npos) << product.output;
  EXPECT_EQ((product.output + product.errors).find('\x1b'), std::string::npos) << product.output;
  const Outcome outcome =
      run_command("check --operation stop --variant atomic --dtype float --largest 16",
                  folder.path(), "TESSERA_BUILD_OPTIONS='-Dkernel=+ -DX=\x1b[2J\u009b31m'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("-DX=\\x1b[2J\\x9b31m"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos);
  EXPECT_EQ(outcome.output.find("\u009b"), std::string::npos);
}

TEST(NoDeviceTest, TellsThatPoclCannotWriteItsCache) {
  if (engine().device().platform != "Portable Computing Language")
    GTEST_SKIP() << "the platform is not PoCL";
  const Folder folder;
  const Outcome outcome =
      run_command("devices --device portable", folder.path(), "POCL_CACHE_DIR=/proc/none");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.errors.find("Portable Computing Language has no device: set POCL_CACHE_DIR, "),
            std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace tessera::test
