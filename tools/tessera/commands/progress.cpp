// A line of progress.
#include "commands/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace tessera::tool {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr Seconds kQuiet{2}, kOnTerminal{0.1}, kPiped{10};
/// Share of the work after which the time that is left is an estimate rather than a guess.
constexpr double kEstimable = 0.02;
constexpr const char* kClear = "\r\x1b[K";

}  // namespace

std::string drawn(std::string_view line, const Terminal& terminal) {
  if (!terminal.redraws) return fmt::format("{}\n", line);
  // A character in the last column would leave the cursor on the next line of some terminals.
  const std::string_view shown = cut(line, terminal.columns - 1);
  return fmt::format("{}{}{}{}", kClear, terminal.dims ? "\x1b[2m" : "", shown,
                     terminal.dims ? "\x1b[0m" : "");
}

Progress::Progress(std::size_t total) : total_(total), started_(Clock::now()), last_(started_) {}

void Progress::update(std::size_t done, const std::string& note) {
  const double taken = Seconds(Clock::now() - started_).count(),
               share = static_cast<double>(done) / static_cast<double>(total_);
  const std::string left =
      share >= kEstimable ? fmt::format("{:.0f} s left, ", taken / share - taken) : "";
  say(fmt::format("{} / {}, {}{}", done, total_, left, note));
}

void Progress::say(const std::string& line) {
  const auto now = Clock::now();
  const Terminal terminal = terminal_of(kStandardError);
  if (now - started_ < kQuiet || now - last_ < (terminal.redraws ? kOnTerminal : kPiped)) return;
  last_ = now;
  std::fputs(drawn(line, terminal).c_str(), stderr);
  std::fflush(stderr);
  shown_ = terminal.redraws;
}

void Progress::clear() {
  if (shown_) std::fputs(kClear, stderr);
  shown_ = false;
}

ElapsedLine::ElapsedLine(std::string what)
    : what_(std::move(what)), teller_([this](const std::stop_token& over) { tell(over); }) {}

void ElapsedLine::tell(const std::stop_token& over) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!over.stop_requested()) {
    tick_.wait_for(lock, over, kOnTerminal, [] { return false; });
    const Seconds taken = std::chrono::steady_clock::now() - start;
    if (!over.stop_requested()) line_.say(fmt::format("{}, {:.0f} s", what_, taken.count()));
  }
}

}  // namespace tessera::tool
