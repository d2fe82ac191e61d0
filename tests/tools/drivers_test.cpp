// Drivers that TESSERA_DRIVERS names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

/// The drivers that the loader knows from its folder, separated by colons.
std::string known_drivers() {
  const char* const named = std::getenv("OCL_ICD_VENDORS");
  const std::filesystem::path folder = named != nullptr ? named : "/etc/OpenCL/vendors";
  std::string drivers;
  if (!std::filesystem::is_directory(folder)) return drivers;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string driver;
    std::ifstream(entry.path()) >> driver;
    drivers += (drivers.empty() ? "" : ":") + driver;
  }
  return drivers;
}

std::size_t devices_with(const Folder& folder, const std::string& environment) {
  return json_of(run_command("devices --json", folder.path(), environment))["devices"].size();
}

TEST(DriversTest, ADriverNeedsNoFileOfTheLoader) {
  if (known_drivers().empty()) GTEST_SKIP() << "the loader's folder has no drivers";
  const Folder folder;
  std::filesystem::create_directory(folder.at("none"));
  const std::string hidden = "OCL_ICD_VENDORS=" + folder.at("none");
  EXPECT_NE(run_command("multiply identity:2 identity:2", folder.path(), hidden).status, 0);
  const Outcome product = run_command("multiply identity:2 identity:2 --verify", folder.path(),
                                      hidden + " TESSERA_DRIVERS=" + known_drivers());
  EXPECT_EQ(product.status, 0) << product.errors;
}

TEST(DriversTest, ADriverThatTheLoaderHasToIsListedOnce) {
  if (known_drivers().empty()) GTEST_SKIP() << "the loader's folder has no drivers";
  const Folder folder;
  EXPECT_EQ(devices_with(folder, "TESSERA_DRIVERS=" + known_drivers()), devices_with(folder, ""));
}

TEST(DriversTest, TheErrorSaysWhyADriverCannotBeUsed) {
  const Folder folder;
  std::filesystem::create_directory(folder.at("none"));
  const Outcome outcome =
      run_command("multiply identity:2 identity:2", folder.path(),
                  "OCL_ICD_VENDORS=" + folder.at("none") + " TESSERA_DRIVERS=/absent.so");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(
      outcome.errors.find("the driver /absent.so of TESSERA_DRIVERS: /absent.so: cannot open"),
      std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace tessera::test
