// Finds the worker program, and exchanges messages with it: lines of JSON.
#include "runtime/child_process.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/environment.hpp"
#include "runtime/path.hpp"
#include "runtime/shared_library.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"

namespace tessera::inline v0::runtime {

namespace fs = std::filesystem;

fs::path worker_program() {
  if (fs::path named = path_of(environment("TESSERA_WORKER")); !named.empty()) {
    if (named.is_absolute()) return named;
    throw Error(ErrorCode::worker_failed,
                named == "off"
                    ? "TESSERA_WORKER=off: no worker process may be started"
                    : fmt::format("TESSERA_WORKER={} is not an absolute path", text_of(named)));
  }
  const fs::path own = own_file();
  for (const fs::path& folder : {own.parent_path(), own.parent_path().parent_path() / "lib"}) {
    fs::path program = program_file(folder / "tessera" / "tessera-worker");
    std::error_code unknown;
    if (program.is_absolute() && fs::exists(program, unknown)) return program;
  }
  throw Error(
      ErrorCode::worker_failed,
      fmt::format("no program tessera/tessera-worker beside {}; TESSERA_WORKER can name one "
                  "elsewhere",
                  text_of(own)));
}

Json greeting() { return {{"tessera", TESSERA_VERSION_STRING}}; }

ChildProcess::ChildProcess(const std::vector<std::string>& arguments)
    : program_(worker_program()), process_(program_, arguments) {}

void ChildProcess::send(const Json& request) const { process_.write(line_of(request)); }

std::optional<Json> ChildProcess::receive() {
  const auto end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (std::exchange(greeted_, true)) return parse_or_discard(line);
  if (line + '\n' != line_of(greeting()))
    throw Error(
        ErrorCode::worker_failed,
        fmt::format("{} is not the worker of this version of the library", text_of(program_)));
  return receive();
}

}  // namespace tessera::inline v0::runtime
