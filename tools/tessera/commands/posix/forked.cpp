// Forks, and reads what the child sends through a pipe.
#include "commands/posix/forked.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace tessera::tool {
namespace {

[[noreturn]] void be_the_child(int lines, const std::function<void(const Forked::Send&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  work([lines](const std::string& line) {
    const std::string whole = line + '\n';
    if (::write(lines, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
      ::_exit(1);
  });
  std::exit(0);  // a simulator writes its log then
}

}  // namespace

Forked::Forked(const std::function<void(const Send&)>& work) {
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);  // else the child would print it too
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    be_the_child(ends[1], work);
  }
  const int failure = errno;
  ::close(ends[1]);
  lines_ = ends[0];
  if (process_ > 0) return;
  ::close(lines_);
  throw std::system_error(failure, std::generic_category(), "fork");
}

Forked::~Forked() {
  end();
  ::close(lines_);
}

std::optional<std::string> Forked::line(double seconds) {
  constexpr int kSlice = 50;  // milliseconds that this process runs: it may be stopped by Ctrl-Z
  for (double left = 1000 * seconds; left > 0;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    pollfd file{lines_, POLLIN, 0};
    if (::poll(&file, 1, kSlice) <= 0) {
      left -= kSlice;
      continue;
    }
    std::array<char, 65536> buffer;
    const auto count = ::read(lines_, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return std::nullopt;
    if (count > 0) received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
  silence_ = fmt::format("took more than {} s", seconds);
  return std::nullopt;
}

std::string Forked::end() {
  if (process_ < 0) return silence_;
  const pid_t process = std::exchange(process_, -1);
  ::kill(process, SIGKILL);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!silence_.empty()) return silence_;
  if (WIFSIGNALED(status)) {
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace tessera::tool
