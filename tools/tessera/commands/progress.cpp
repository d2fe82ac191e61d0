// A line of progress.
#include "commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tessera::tool {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr Seconds kQuiet{2}, kOnTerminal{0.1}, kPiped{10};

std::string dimmed(const std::string& text) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  return plain ? text : "\x1b[2m" + text + "\x1b[0m";
}

}  // namespace

Progress::Progress(std::size_t total)
    : total_(total),
      terminal_(::isatty(STDERR_FILENO) != 0),
      started_(Clock::now()),
      last_(started_) {}

void Progress::update(std::size_t done, const std::string& note) {
  const Seconds taken = Clock::now() - started_;
  const double left =
      done == 0 ? 0
                : taken.count() * static_cast<double>(total_ - done) / static_cast<double>(done);
  say(fmt::format("{} / {}, {:.0f} s left, {}", done, total_, left, note));
}

void Progress::say(const std::string& line) {
  const auto now = Clock::now();
  if (now - started_ < kQuiet || now - last_ < (terminal_ ? kOnTerminal : kPiped)) return;
  last_ = now;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", dimmed(line.substr(0, 110)));
    std::fflush(stderr);
    shown_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace tessera::tool
