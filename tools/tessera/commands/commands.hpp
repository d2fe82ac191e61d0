// The command and its subcommands. Each of these adds itself to the command line, and sets `status`
// when it has run.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace tessera::tool {

/// Does what the arguments of main() say. Returns the exit status.
int run(int argc, char** argv);

void add_devices(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_multiply(CLI::App& app, int& status);
void add_eigen(CLI::App& app, int& status);
/// `command_line` is for the report.
void add_tune(CLI::App& app, int& status, const std::string& command_line);
void add_profile(CLI::App& app, int& status);
void add_cache(CLI::App& app, int& status);
void add_blas(CLI::App& app, int& status);

}  // namespace tessera::tool
