// tessera: devices, checks, products, eigenpairs and tuning from the command line.
#include "commands/commands.hpp"

// Only a lack of memory while an error is told ends it by an exception.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) { return tessera::tool::run(argc, argv); }
