// A pseudo terminal by POSIX's functions.
#include "pty.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace tessera::test {

Pty::Pty(unsigned short columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY)), slave_(-1) {
  if (master_ >= 0 && ::grantpt(master_) == 0 && ::unlockpt(master_) == 0)
    slave_ = ::open(path().c_str(), O_RDWR | O_NOCTTY);
  const winsize window{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  if (slave_ < 0 || ::ioctl(master_, TIOCSWINSZ, &window) != 0)
    throw std::runtime_error("no pseudo terminal");
}

Pty::~Pty() {
  if (slave_ >= 0) ::close(slave_);
  ::close(master_);
}

std::string Pty::path() const {
  std::array<char, 64> name{};
  return ::ptsname_r(master_, name.data(), name.size()) == 0 ? name.data() : "";
}

std::string Pty::read_some() {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(master_, buffer.data(), buffer.size());
  std::string text;
  for (ssize_t i = 0; i < count; i++) {
    const char c = buffer[static_cast<std::size_t>(i)];
    const bool is_line_end =
        c == '\r' && i + 1 < count && buffer[static_cast<std::size_t>(i) + 1] == '\n';
    if (!is_line_end) text += c;
  }
  return text;
}

std::string Pty::close() {
  ::close(slave_);
  slave_ = -1;
  std::string all;
  for (std::string some = read_some(); !some.empty(); some = read_some()) all += some;
  return all;
}

}  // namespace tessera::test
