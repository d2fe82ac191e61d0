// tessera: devices, checks and products from the command line.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "command.hpp"

namespace {

namespace tool = tessera::tool;

int fail(int status, const std::string& what) {
  fmt::print(stderr, "tessera: {}\n", what);
  return status;
}

/// CLI11 would only say that a subcommand is missing.
void check_command(CLI::App& app, const std::string& wanted) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, wanted) != names.end()) return;
  throw tool::UsageError(
      fmt::format("no command \"{}\"; there are: {}", wanted, fmt::join(names, ", ")));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Dense matrix multiplication on any OpenCL device.", "tessera");
  app.set_version_flag("--version", "tessera " TESSERA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "A matrix is a file (.npy, .mtx, .csv) or hilbert:N, random:RxC[:SEED], normal:RxC[:SEED], "
      "ones:RxC,\n"
      "identity:N. A device is gpu, cpu, 0:1 (platform:device) or a part of a name; without "
      "--device,\n"
      "$TESSERA_DEVICE or the fastest.\n"
      "Exit status: 0 done, 1 a check failed, 2 bad usage or input, 3 no device, 4 OpenCL failed.");
  int status = tool::done;
  tool::add_devices(app, status);
  tool::add_check(app, status);
  tool::add_multiply(app, status);
  try {
    if (argc > 1 && argv[1][0] != '-') check_command(app, argv[1]);
    app.parse(argc, argv);
    return status;
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(tool::bad_usage, fmt::format("{} (tessera --help tells more)", error.what()));
  } catch (const tessera::DeviceError& error) {
    return fail(tool::no_device, error.what());
  } catch (const tessera::OpenClError& error) {
    return fail(tool::opencl_failed, error.what());
  } catch (const tessera::BuildError& error) {
    return fail(tool::opencl_failed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(tool::bad_usage, "not enough memory on the host");
  } catch (const std::exception& error) {
    return fail(tool::bad_usage, error.what());
  }
}
