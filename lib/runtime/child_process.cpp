// Starts, talks to and ends the worker program. posix_spawn starts it, because a process that has
// used OpenCL must not fork.
#include "runtime/child_process.hpp"

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
#include "runtime/log.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"

extern char** environ;

namespace tessera::inline v0::runtime {
namespace {

namespace fs = std::filesystem;

/// The file that this code was loaded from: the library, or a program that it is linked into. Empty
/// if it is not known. The path is from /proc, because the loader may have one relative to a folder
/// that the process has left, or a name that it found through PATH.
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
    throw Error(ErrorCode::worker_failed,
                fmt::format("no connection to a worker: {}", std::strerror(errno)));
  return ends;
}

/// Starts a child whose standard input and output are the connection, without blocked signals. From
/// glibc 2.34 on, it inherits no other open file except standard error, and that only for a log.
class Start {
 public:
  explicit Start(int connection) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, connection, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, connection, STDOUT_FILENO);
    if (!log_wanted())
      ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// Returns an error number, or 0.
  int spawn(pid_t& process, const std::vector<std::string>& command) const {
    std::vector<char*> arguments;
    for (const std::string& argument : command)
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    return ::posix_spawn(&process, arguments.front(), &actions_, &attributes_, arguments.data(),
                         environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

fs::path worker_program() {
  if (fs::path named = environment("TESSERA_WORKER"); !named.empty()) {
    if (named.is_absolute()) return named;
    throw Error(ErrorCode::worker_failed,
                named == "off"
                    ? "TESSERA_WORKER=off: no worker process may be started"
                    : fmt::format("TESSERA_WORKER={} is not an absolute path", named.string()));
  }
  const fs::path own = own_file();
  for (const fs::path& folder : {own.parent_path(), own.parent_path().parent_path() / "lib"}) {
    fs::path program = folder / "tessera" / "tessera-worker";
    std::error_code unknown;
    if (program.is_absolute() && fs::exists(program, unknown)) return program;
  }
  throw Error(
      ErrorCode::worker_failed,
      fmt::format("no program tessera/tessera-worker beside {}; TESSERA_WORKER can name one "
                  "elsewhere",
                  own.string()));
}

Json greeting() { return {{"tessera", TESSERA_VERSION_STRING}}; }

bool Ending::is_from_outside() const {
  if (!WIFSIGNALED(status)) return false;
  const int signal = WTERMSIG(status);
  return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP || signal == SIGINT;
}

std::string Ending::text() const {
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments)
    : program_(worker_program().string()), parent_(::getpid()) {
  const auto [ours, theirs] = connected_pair();
  std::vector<std::string> command = {program_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const int failure = Start(theirs).spawn(process_, command);
  ::close(theirs);
  if (failure != 0) {
    ::close(ours);
    throw Error(ErrorCode::worker_failed,
                fmt::format("{} cannot be started: {}", program_, std::strerror(failure)));
  }
  connection_ = ours;
  ::fcntl(connection_, F_SETFL, ::fcntl(connection_, F_GETFL) | O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  end();
  if (connection_ >= 0) ::close(connection_);
}

/// Requests are short: if the socket does not accept one at once, the worker hangs anyway.
void ChildProcess::send(const Json& request) const {
  const std::string line = line_of(request);
  static_cast<void>(::send(connection_, line.data(), line.size(), MSG_NOSIGNAL));
}

bool ChildProcess::read() {
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

std::optional<Json> ChildProcess::receive() {
  const auto end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (std::exchange(greeted_, true)) return parse_or_discard(line);
  if (line + '\n' != line_of(greeting()))
    throw Error(ErrorCode::worker_failed,
                fmt::format("{} is not the worker of this version of the library", program_));
  return receive();
}

std::optional<Ending> ChildProcess::end() noexcept {
  if (process_ < 0 || parent_ != ::getpid()) return std::nullopt;
  ::kill(process_, SIGKILL);
  Ending ending;
  while (::waitpid(process_, &ending.status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return ending;
}

}  // namespace tessera::inline v0::runtime
