// Every JSON document has its schema, and docs/json.md names all of its keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tessera/capabilities.hpp>
#include <tessera/profile.hpp>
#include <tessera/version.hpp>

#include "kernels/profile_file.hpp"
#include "operations.hpp"
#include "run_command.hpp"
#include "support/device.hpp"
#include "tuning/journal.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

/// The keys in backticks in the tables of docs/json.md, by section.
std::map<std::string, std::set<std::string>> documented_keys() {
  std::map<std::string, std::set<std::string>> keys;
  std::istringstream lines(content_of(TESSERA_JSON_DOCUMENTATION));
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("### ")) {
      section = line.substr(4);
      std::erase(section, '`');
    }
    if (section.empty() || !line.starts_with('|')) continue;
    const std::regex key("`(\\w+)`");
    for (std::sregex_iterator match(line.begin(), line.end(), key), end; match != end; ++match)
      keys[section].insert((*match)[1]);
  }
  // Documents whose keys include another's.
  for (const auto& [section_name, part] : {std::pair("Capabilities", "Device"),
                                           {"tessera devices", "Device"},
                                           {"Profile line", "Problem"}})
    keys[section_name].insert(keys[part].begin(), keys[part].end());
  return keys;
}

class JsonDocumentsTest : public testing::Test {
 protected:
  void expect_document(const std::string& text, const std::string& section) {
    ASSERT_FALSE(text.empty()) << section;
    const Json document = Json::parse(text);
    EXPECT_EQ(document.value("schema", 0), 1) << section;
    expect_keys(document, section);
  }

  /// Runs the command and returns what it prints.
  std::string run(const std::string& arguments) const {
    const Outcome outcome = run_command(
        arguments + " --json", folder_.path(),
        "XDG_STATE_HOME=" + folder_.at("state") + " TESSERA_CACHE=" + folder_.at("cache") +
            " TESSERA_PROFILE=" + folder_.at("tuned.jsonl") + " TESSERA_SELF_CHECK=off");
    EXPECT_EQ(outcome.status, 0) << arguments << ": " << outcome.errors;
    return outcome.output;
  }

  static ProfileEntry entry() {
    const DeviceInfo& device = engine().device();
    return {
        .problem = {.m = 64, .n = 64, .k = 64},
        .kernel = {"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 4}}},
        .observations = {{.m = 64, .n = 64, .k = 64, .ratio = 0.5}},
        .seconds = 1,
        .default_seconds = 2,
        .platform = device.platform,
        .device = device.name,
        .driver = device.driver,
        .source = kernels::source_hash(kernels::find_variant(find_operation("multiply"), "naive")),
        .version = "0",
        .when = "2026-01-02T03:04:05Z"};
  }

  Folder folder_;

 private:
  void expect_keys(const Json& json, const std::string& section) {
    if (json.is_array()) {
      for (const Json& element : json) expect_keys(element, section);
    }
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) {
      EXPECT_TRUE(documented_[section].contains(key))
          << "docs/json.md, section " << section << ": no " << key;
      // Names of parameters, operations and outcomes are not keys of the document.
      const bool is_map =
          value.is_object() && (key == "parameters" || key == "kernels" || key == "outcomes");
      if (!is_map) expect_keys(value, key == "problem" ? "Problem" : section);
    }
  }

  std::map<std::string, std::set<std::string>> documented_ = documented_keys();
};

TEST_F(JsonDocumentsTest, DevicesAndProblems) {
  expect_document(to_json(engine().device()), "Device");
  expect_document(to_json(capabilities(engine())), "Capabilities");
  expect_document(to_json(Problem{.batch = 2,
                                  .leading_dimensions = {4, 5, 6},
                                  .batch_strides = {7, 8, 9},
                                  .alpha = 2,
                                  .beta = 3,
                                  .mode = {Accuracy::bounded, Accumulator::compensated, true}}),
                  "Problem");
}

TEST_F(JsonDocumentsTest, LinesOfProfilesAndJournals) {
  expect_document(kernels::line_of(entry()), "Profile line");
  const std::string path = folder_.at("journal");
  {
    const KernelChoice tried = entry().kernel, dropped{"naive", {{"GROUP_ROWS", 8}}};
    tuning::Journal journal(path, find_operation("multiply"), tuning::kPolicy, false);
    journal.started(tried);
    journal.ended({.kernel = tried, .runs = {0.5}});
    journal.started(dropped);
  }
  std::istringstream lines(content_of(path));
  std::set<std::string> kinds;
  for (std::string line; std::getline(lines, line);) {
    expect_document(line, "Journal line");
    for (const char* kind : {"start", "trial", "dropped"})
      if (Json::parse(line).contains(kind)) kinds.insert(kind);
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"dropped", "start", "trial"}));
}

TEST_F(JsonDocumentsTest, Products) {
  const std::string product = "multiply random:8x8 random:8x8 --verify ";
  expect_document(run(product + "--accuracy bounded --dtype float"), "tessera multiply");
  expect_document(run(product + "--every-kernel"), "tessera multiply");
}

TEST_F(JsonDocumentsTest, ReportsOfTheCommand) {
  expect_document(run("devices"), "tessera devices");
  expect_document(run("check --operation vector_max --dtype float --largest 16"), "tessera check");
  expect_document(run("eigen random:8x8 --history"), "tessera eigen");
  expect_document(run("tune multiply --size 16 --variant naive --max-evaluations 2 --budget 10m"),
                  "tessera tune");
}

TEST_F(JsonDocumentsTest, VersionNamesTheBuildTheLoaderAndTheDrivers) {
  const std::string text = run("--version");
  expect_document(text, "tessera --version --json");
  const Json document = Json::parse(text);
  EXPECT_EQ(document.at("version"), TESSERA_VERSION_STRING);
  EXPECT_EQ(document.at("library"), to_string(version()));
  const Json& commit = document.at("commit");
  EXPECT_TRUE(commit.is_null() || commit.get<std::string>().size() == 40) << commit;
  EXPECT_NE(document.at("opencl_loader").at("file").get<std::string>().find("libOpenCL"),
            std::string::npos);
  const DeviceInfo& device = engine().device();
  bool is_listed = false;
  for (const Json& platform : document.at("platforms")) {
    for (const Json& each : platform.at("devices"))
      is_listed |= each.at("selector") == device.selector && each.at("driver") == device.driver &&
                   platform.at("name") == device.platform;
  }
  EXPECT_TRUE(is_listed) << text;
}

TEST_F(JsonDocumentsTest, ProfileAndCache) {
  append_profile(folder_.at("other.jsonl"), std::vector{entry()});
  for (const char* arguments : {"import other.jsonl", "show", "where", "remove"})
    expect_document(run(std::string("profile ") + arguments), "tessera profile");
  for (const char* arguments : {"show", "clear"})
    expect_document(run(std::string("cache ") + arguments), "tessera cache");
}

}  // namespace
}  // namespace tessera::test
