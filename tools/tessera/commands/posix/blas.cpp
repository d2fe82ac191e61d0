// tessera blas: runs a program that knows only BLAS, with its matrix products by Tessera, and says
// which products these are.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tessera/version.hpp>
#include <utility>
#include <vector>

#include "commands/blas_bindings.hpp"
#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct BlasOptions {
  std::string report, settings, device;
  bool explains = false;
};

/// libtessera-blas.so beside the library that this command uses.
std::string blas_library() {
  Dl_info library{};
  std::filesystem::path folder;
  if (::dladdr(reinterpret_cast<void*>(&version), &library) != 0 && library.dli_fname != nullptr)
    folder = std::filesystem::path(library.dli_fname).parent_path();
  const auto file = std::filesystem::absolute(folder / "libtessera-blas.so");
  if (!std::filesystem::exists(file))
    throw UsageError(
        fmt::format("{} does not exist: it comes with shared libraries", file.string()));
  return file.string();
}

void set(const char* variable, const std::string& value) {
  if (!value.empty()) ::setenv(variable, value.c_str(), 1);
}

void set_environment(const BlasOptions& options) {
  std::string preloaded = blas_library();
  if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0')
    preloaded += fmt::format(":{}", others);
  set("LD_PRELOAD", preloaded);
  set("TESSERA_BLAS", options.settings);
  set("TESSERA_BLAS_REPORT", options.report);
  set("TESSERA_DEVICE", options.device);
}

/// Becomes the program.
[[noreturn]] void become(const std::vector<std::string>& program) {
  std::vector<char*> arguments;
  for (const std::string& word : program) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  throw UsageError(fmt::format("{}: {}", program.front(), std::strerror(errno)));
}

/// A folder that is removed at the end.
struct TemporaryFolder {
  std::filesystem::path path;

  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), name);
    path = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

/// Runs the program with the linker's log and a report in a folder. Returns its exit status.
int run_observed(BlasOptions options, const std::vector<std::string>& program,
                 const std::filesystem::path& folder) {
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    try {
      const char* words = std::getenv("TESSERA_BLAS");
      if (options.settings.empty() && words != nullptr) options.settings = words;
      options.settings += options.settings.empty() ? "explain" : ",explain";
      options.report = folder / "report";
      set_environment(options);
      set("LD_DEBUG", "bindings");
      set("LD_DEBUG_OUTPUT", folder / "bindings");
      become(program);
    } catch (const std::exception& error) {
      fmt::print(stderr, "tessera: {}\n", error.what());
      ::_exit(127);
    }
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// "12 dgemm: ...", from the line "dgemm small 12" of a report.
std::string explained(const std::string& line) {
  static const std::map<std::string, std::string> kReasons{
      {"device", "on the device"},
      {"next", "by the next BLAS, which the model expects to be faster"},
      {"failed", "by the next BLAS after a failure on the device"},
      {"small", "by the next BLAS: small"},
      {"invalid", "by the next BLAS: an argument is invalid, a size is 0 or alpha is 0"},
      {"opening", "by the next BLAS while the device was opened; the setting wait avoids it"},
      {"no device", "by the next BLAS: no device works, or the settings say off"},
      {"forked", "by the next BLAS in a forked process"},
  };
  const auto first = line.find(' '), last = line.rfind(' ');
  const auto reason = kReasons.find(line.substr(first + 1, last - first - 1));
  return fmt::format("  {} {} {}", line.substr(last + 1), line.substr(0, first),
                     reason == kReasons.end() ? line : reason->second);
}

/// Says which objects call BLAS, who answers, and what became of the products.
void print_diagnosis(const std::filesystem::path& folder) {
  std::set<BlasBinding> bindings;
  std::vector<std::string> products;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    if (entry.path().filename() != "report") read_blas_bindings(file, bindings);
  }
  std::ifstream report(folder / "report");
  for (std::string line; std::getline(report, line);) products.push_back(explained(line));
  const auto is_ours = [](const std::string& object) {
    return object.find("libtessera-blas.so") != std::string::npos;
  };
  // libtessera-blas finds the next BLAS through the caller's object: the log shows that as well.
  std::set<std::pair<std::string, std::string>> ours;
  for (const auto& [caller, routine, answerer] : bindings)
    if (is_ours(answerer)) ours.insert({caller, routine});
  std::map<std::string, std::string> names;  // by sentence
  for (const auto& [caller, routine, answerer] : bindings) {
    const bool is_next =
        is_ours(caller) || (!is_ours(answerer) && ours.contains({caller, routine}));
    const std::string what =
        is_next ? fmt::format("the next BLAS is {} for", answerer)
        : is_ours(answerer)
            ? fmt::format("libtessera-blas answers {} for", caller)
            : fmt::format("{} answers {}, as if nothing were preloaded (RTLD_DEEPBIND), for",
                          answerer, caller);
    names[what] += (names[what].empty() ? " " : ", ") + routine;
  }
  fmt::print(stderr, "tessera blas:\n");
  for (const auto& [what, routines] : names) fmt::print(stderr, "  {}{}\n", what, routines);
  if (names.empty())
    fmt::print(
        stderr,
        "  the program asks no shared library for a product; its BLAS may be linked statically\n");
  for (const auto& line : products) fmt::print(stderr, "{}\n", line);
}

/// Adds the program to the usage line: CLI11 lists positional arguments that are options only.
struct ProgramUsage : CLI::Formatter {
  std::string make_usage(const CLI::App* app, std::string name) const override {
    constexpr std::string_view kOptions = "[OPTIONS]";
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (const auto begin = usage.find(kOptions); begin != std::string::npos)
      usage.insert(begin + kOptions.size(), " PROGRAM [ARGUMENTS...]");
    return usage;
  }
};

int run_program(const BlasOptions& options, const std::vector<std::string>& program) {
  if (program.empty()) throw UsageError("blas: name a program and its arguments");
  if (!options.explains) {
    set_environment(options);
    become(program);
  }
  const TemporaryFolder folder;
  const int status = run_observed(options, program, folder.path);
  print_diagnosis(folder.path);
  return status;
}

}  // namespace

void add_blas(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("blas", "Run a program with its BLAS products on a device");
  const auto options = std::make_shared<BlasOptions>();
  command->add_option(
      "--report", options->report,
      "A file for the numbers of products at the program's end; - is standard error");
  command->add_option("--settings", options->settings,
                      "Words for $TESSERA_BLAS, separated by commas: on, off, wait, keep, keep=N, "
                      "explain, min=N, slice=N, next=FILE");
  command->add_flag(
      "--doctor", options->explains,
      "At the end, print which objects call BLAS, who answers, and who computed what");
  command->add_option("--device", options->device, "The device; sets $TESSERA_DEVICE");
  command->formatter(std::make_shared<ProgramUsage>());
  command->prefix_command();
  command->callback(
      [command, options, &status] { status = run_program(*options, command->remaining()); });
}

}  // namespace tessera::tool
