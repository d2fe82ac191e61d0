// The command line: its subcommands, what it says of errors, and its exit status.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <tessera/version.hpp>
#include <vector>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/complete.hpp"
#include "commands/failure.hpp"
#include "commands/version.hpp"
#include "platform/system.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// One line, whatever a file's content or name brought into the message. A long one loses its
/// middle: it begins with a name and ends with the reason.
int fail(int status, std::string_view what) {
  constexpr std::size_t kPart = 500;
  const bool is_long = what.size() > 2 * kPart;
  const std::string line = is_long
                               ? fmt::format("tessera: {}…{}\n", one_line(what.substr(0, kPart)),
                                             one_line(what.substr(what.size() - kPart)))
                               : fmt::format("tessera: {}\n", one_line(what));
  std::fputs(line.c_str(), stderr);  // if stderr is closed, the exit status must suffice
  return status;
}

/// What was printed has to arrive.
int printed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return fail(bad_usage, fmt::format("standard output: {}", std::strerror(errno)));
}

/// CLI11 would only say that a subcommand is missing.
void check_command(CLI::App& app, const std::string& wanted) {
  if (wanted.starts_with('-')) {
    if (app.get_option_no_throw(wanted) == nullptr)
      throw UsageError(fmt::format("no option {}; tessera --help tells more", wanted));
    return;
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, wanted) != names.end()) return;
  throw UsageError(fmt::format("no command \"{}\"; there are: {}", wanted, fmt::join(names, ", ")));
}

/// The completions of shells call this subcommand, which --help does not list.
constexpr std::string_view kComplete = "complete";

constexpr const char* kDevices =
    "A device is gpu, cpu, 0:1 (platform:device) or a part of a name; without --device, "
    "$TESSERA_DEVICE or the fastest.\n";
constexpr const char* kStatuses =
    "Exit status: 0 done; 1 a check failed, a solve did not converge, or a tuning had no finals; 2 "
    "bad usage or input; 3 no device; 4 OpenCL failed or memory ran out.";

/// Adds the descriptions of a command's arguments after its options.
void add_footers(CLI::App& command) {
  const auto if_it_has = [&](const char* option, const std::string& text) {
    return command.get_option_no_throw(option) != nullptr ? text : "";
  };
  command.footer(fmt::format("{}{}{}", if_it_has("A", matrix_help()),
                             if_it_has("--device", kDevices), kStatuses));
  for (CLI::App* part : command.get_subcommands([](CLI::App*) { return true; })) add_footers(*part);
}

/// A help text in the columns of standard output; descriptions stay in their own column.
std::string for_terminal(const std::string& help) {
  constexpr std::size_t kDescriptions = 30;  // where they start in CLI11's lines
  const std::size_t columns = terminal_of(kStandardOutput).columns;
  std::string text;
  std::string_view rest = help;
  while (const auto line = next_line(rest)) {
    const std::size_t start =
        line->starts_with("  ") ? std::min(kDescriptions, line->size()) : std::size_t{0};
    text += line->size() <= columns
                ? std::string(*line)
                : with_hanging_indent(line->substr(0, start), line->substr(start), columns);
    text += '\n';
  }
  return text;
}

/// The command line, as a shell would take it again.
std::string quoted(const std::vector<std::string>& command_line) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=+,@%";
  std::string words = "tessera";
  for (const std::string& word : command_line) {
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == word.npos;
    words += is_plain ? fmt::format(" {}", word) : " '";
    if (is_plain) continue;
    for (const char c : word) words += c == '\'' ? "'\\''" : std::string(1, c);
    words += '\'';
  }
  return words;
}

}  // namespace

int run(int argc, char** argv) {
  std::fesetenv(FE_DFL_ENV);  // a library that was loaded may flush subnormal numbers to zero
  CLI::App app("Dense matrix multiplication and dominant eigenpairs on any OpenCL device.",
               "tessera");
  CLI::Option* version_flag = app.set_version_flag("--version", "tessera " TESSERA_VERSION_STRING);
  bool as_json = false;
  const CLI::Option* json_flag =
      app.add_flag("--json", as_json,
                   "With --version: print the build, the loader and the drivers as JSON")
          ->needs(version_flag);
  app.require_subcommand(1);
  prepare_standard_streams();
  int status = done;
  add_devices(app, status);
  add_check(app, status);
  add_multiply(app, status);
  add_eigen(app, status);
  const std::vector<std::string> words = words_of_command_line(argc, argv);
  add_tune(app, status, quoted(words));
  add_profile(app, status);
  add_cache(app, status);
  add_blas(app, status);
  add_footers(app);
  try {
    if (!words.empty() && words.front() == kComplete) {
      print_candidates(app, {words.begin() + 1, words.end()});
      return printed(done);
    }
    if (!words.empty()) check_command(app, words.front());
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 pops the words
    return printed(status);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", for_terminal(app.help()));
    return printed(done);
  } catch (const CLI::Success& success) {  // --version
    if (json_flag->count() == 0) return printed(app.exit(success));
    print_version();
    return printed(done);
  } catch (const CLI::ParseError& error) {
    return fail(bad_usage, fmt::format("{} (tessera --help tells more)", error.what()));
  } catch (const std::exception& error) {
    const auto [failed, what] = failure_of(error);
    return fail(failed, what);
  }
}

}  // namespace tessera::tool
