// tessera blas where libtessera-blas does not exist.
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

void add_blas(CLI::App& app, int&) {
  auto* command = app.add_subcommand(
      "blas", "Run a program with its BLAS products on a device; not on Windows");
  command->prefix_command();
  command->callback([] { throw UsageError("blas: libtessera-blas does not exist for Windows"); });
}

}  // namespace tessera::tool
