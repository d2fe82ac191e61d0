// The command line: its subcommands, what it says of errors, and its exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.hpp"
#include "commands/commands.hpp"
#include "commands/failure.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// One line, whatever a file's content or name brought into the message.
int fail(int status, std::string_view what) {
  constexpr std::size_t kMax = 1000;
  const std::string line =
      fmt::format("tessera: {}{}\n", one_line(what.substr(0, kMax)), what.size() > kMax ? "…" : "");
  std::fputs(line.c_str(), stderr);  // if stderr is closed, the exit status must suffice
  return status;
}

/// Files must not get the numbers of standard streams that are closed.
void fill_standard_streams() {
  for (int number = 0; number <= 2; number++) {
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY));
  }
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

}  // namespace

int run(int argc, char** argv) {
  std::fesetenv(FE_DFL_ENV);  // a library that was loaded may flush subnormal numbers to zero
  CLI::App app("Dense matrix multiplication and dominant eigenpairs on any OpenCL device.",
               "tessera");
  app.set_version_flag("--version", "tessera " TESSERA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "A matrix is a file (.npy, .mtx, .csv) or hilbert:N, random:RxC[:SEED], normal:RxC[:SEED], "
      "ones:RxC,\n"
      "identity:N. A device is gpu, cpu, 0:1 (platform:device) or a part of a name; without "
      "--device,\n"
      "$TESSERA_DEVICE or the fastest.\n"
      "Exit status: 0 done, 1 a check failed or not converged, 2 bad usage or input, 3 no device,\n"
      "4 OpenCL failed or memory ran out.");
  fill_standard_streams();
  int status = done;
  add_devices(app, status);
  add_check(app, status);
  add_multiply(app, status);
  add_eigen(app, status);
  add_tune(app, status);
  add_profile(app, status);
  add_cache(app, status);
  try {
    if (argc > 1) check_command(app, argv[1]);
    app.parse(argc, argv);
    return printed(status);
  } catch (const CLI::Success& success) {  // --help, --version
    return printed(app.exit(success));
  } catch (const CLI::ParseError& error) {
    return fail(bad_usage, fmt::format("{} (tessera --help tells more)", error.what()));
  } catch (const std::exception& error) {
    const auto [failed, what] = failure_of(error);
    return fail(failed, what);
  }
}

}  // namespace tessera::tool
