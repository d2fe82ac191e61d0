// Subprocesses by posix_spawn, because a process that has used OpenCL must not fork.
#include "runtime/subprocess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "runtime/log.hpp"
#include "tessera/error.hpp"

extern char** environ;

namespace tessera::inline v0::runtime {
namespace {

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

std::filesystem::path program_file(std::filesystem::path stem) { return stem; }

struct Subprocess::Connection {
  pid_t parent = ::getpid();
  pid_t process = -1;
  int socket = -1;  // both ways
};

Subprocess::Subprocess(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments)
    : connection_(std::make_unique<Connection>()) {
  const auto [ours, theirs] = connected_pair();
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const int failure = Start(theirs).spawn(connection_->process, command);
  ::close(theirs);
  if (failure != 0) {
    ::close(ours);
    throw Error(ErrorCode::worker_failed,
                fmt::format("{} cannot be started: {}", program.string(), std::strerror(failure)));
  }
  connection_->socket = ours;
  ::fcntl(ours, F_SETFL, ::fcntl(ours, F_GETFL) | O_NONBLOCK);
}

Subprocess::~Subprocess() {
  end();
  ::close(connection_->socket);
}

void Subprocess::write(std::string_view bytes) const {
  static_cast<void>(::send(connection_->socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

bool Subprocess::read(std::string& received) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto count = ::read(connection_->socket, buffer.data(), buffer.size());
    if (count > 0) {
      received.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

std::optional<Ending> Subprocess::end() noexcept {
  if (connection_->process < 0 || connection_->parent != ::getpid()) return std::nullopt;
  ::kill(connection_->process, SIGKILL);
  Ending ending;
  while (::waitpid(connection_->process, &ending.status, 0) < 0 && errno == EINTR) {
  }
  connection_->process = -1;
  return ending;
}

void Subprocess::wait(std::span<const Subprocess* const> processes,
                      std::chrono::milliseconds time) {
  std::vector<pollfd> files;
  for (const Subprocess* process : processes)
    files.push_back({process->connection_->socket, POLLIN, 0});
  ::poll(files.data(), files.size(), static_cast<int>(time.count()));
}

}  // namespace tessera::inline v0::runtime
