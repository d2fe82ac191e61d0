// tessera blas: runs a program that knows only BLAS, with its matrix products by Tessera.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <tessera/version.hpp>
#include <vector>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

struct BlasOptions {
  std::string report, settings, device;
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

/// Becomes the program.
int become(const BlasOptions& options, const std::vector<std::string>& program) {
  if (program.empty()) throw UsageError("blas: name a program and its arguments");
  std::string preloaded = blas_library();
  if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0')
    preloaded += fmt::format(":{}", others);
  ::setenv("LD_PRELOAD", preloaded.c_str(), 1);
  if (!options.settings.empty()) ::setenv("TESSERA_BLAS", options.settings.c_str(), 1);
  if (!options.report.empty()) ::setenv("TESSERA_BLAS_REPORT", options.report.c_str(), 1);
  if (!options.device.empty()) ::setenv("TESSERA_DEVICE", options.device.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : program) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  throw UsageError(fmt::format("{}: {}", program.front(), std::strerror(errno)));
}

}  // namespace

void add_blas(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("blas", "Run a program with its BLAS products on a device");
  const auto options = std::make_shared<BlasOptions>();
  command->add_option(
      "--report", options->report,
      "A file for the numbers of products at the program's end; - is standard error");
  command->add_option(
      "--settings", options->settings,
      "Words for $TESSERA_BLAS: on, off, wait, min=N, slice=N, next=FILE, with commas between");
  command->add_option("--device", options->device, "The device; sets $TESSERA_DEVICE");
  command->prefix_command();
  command->callback([command, options, &status] {
    auto program = command->remaining();
    if (!program.empty() && program.front() == "--") program.erase(program.begin());
    status = become(*options, program);
  });
}

}  // namespace tessera::tool
