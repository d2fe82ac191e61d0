// Starts, talks to and ends workers; by posix_spawn, since a process that has used OpenCL must not
// fork.
#include "tuning/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

#include "runtime/environment.hpp"
#include "runtime/json_reader.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"

extern char** environ;

namespace tessera::inline v0::tuning {
namespace {

namespace fs = std::filesystem;

/// The file that this code was loaded from, the library or a program that it is linked into, as the
/// kernel knows it: the loader may know it by a path relative to a folder that was left since, or
/// by a name that it found through PATH. Empty if it is not known.
fs::path own_file() {
  const auto address = reinterpret_cast<std::uintptr_t>(&own_file);
  std::ifstream maps("/proc/self/maps");  // "begin-end flags offset device inode path"
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    const char* const last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ptr == last || std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc())
      continue;
    const auto path = line.find('/');
    if (begin <= address && address < end && path != std::string::npos) return line.substr(path);
  }
  return {};
}

/// A connected pair of sockets that no other child inherits.
std::array<int, 2> connected_pair() {
  std::array<int, 2> ends;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(fmt::format("tune: no connection to a worker: {}", std::strerror(errno)));
  return ends;
}

}  // namespace

fs::path worker_program() {
  if (fs::path named = runtime::environment("TESSERA_WORKER"); !named.empty()) {
    if (named.is_absolute()) return named;
    throw Error(fmt::format("tune: TESSERA_WORKER={} is not an absolute path", named.string()));
  }
  const fs::path own = own_file();
  for (const fs::path& folder : {own.parent_path(), own.parent_path().parent_path() / "lib"}) {
    fs::path program = folder / "tessera" / "tessera-worker";
    std::error_code unknown;
    if (program.is_absolute() && fs::exists(program, unknown)) return program;
  }
  throw Error(
      fmt::format("tune: no program tessera/tessera-worker beside {}; TESSERA_WORKER can "
                  "name one elsewhere",
                  own.string()));
}

WorkerProcess::WorkerProcess(const DeviceInfo& device, const Problem& problem)
    : program_(worker_program().string()) {
  const auto [ours, theirs] = connected_pair();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO);
  if (!runtime::log_wanted())
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::array<char*, 2> arguments = {program_.data(), nullptr};
  const int failure =
      ::posix_spawn(&process_, program_.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(theirs);
  connection_ = ours;
  if (failure != 0) {
    process_ = -1;
    ::close(ours);
    throw Error(fmt::format("tune: {} cannot be started: {}", program_, std::strerror(failure)));
  }
  ::fcntl(connection_, F_SETFL, ::fcntl(connection_, F_GETFL) | O_NONBLOCK);
  try {
    send({{"do", "open"},
          {"device",
           {{"selector", device.selector},
            {"platform", device.platform},
            {"name", device.name},
            {"driver", device.driver}}},
          {"problem", json_of(problem)}});
  } catch (...) {  // no destructor will run
    stop();
    ::close(connection_);
    throw;
  }
}

WorkerProcess::~WorkerProcess() {
  stop();
  if (connection_ >= 0) ::close(connection_);
}

/// Requests are short: if the socket does not accept one at once, the worker hangs anyway.
void WorkerProcess::send(const Json& request) const {
  const std::string line = line_of(request);
  static_cast<void>(::send(connection_, line.data(), line.size(), MSG_NOSIGNAL));
}

bool WorkerProcess::read() {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(connection_, buffer.data(), buffer.size());
    if (count > 0) {
      received_.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

std::optional<Json> WorkerProcess::receive() {
  const auto end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (std::exchange(greeted_, true)) return runtime::parse_or_discard(line);
  if (line + '\n' != line_of(greeting()))
    throw Error(fmt::format("tune: {} is not the worker of this version of the library", program_));
  return receive();
}

/// Its exit status as waitpid() tells it.
int WorkerProcess::stop() noexcept {
  if (process_ < 0) return 0;
  ::kill(process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

std::string WorkerProcess::end() {
  if (process_ < 0) return {};
  const int status = stop();
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace tessera::inline v0::tuning
