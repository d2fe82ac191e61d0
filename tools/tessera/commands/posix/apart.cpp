// Follows forked processes from item to item.
#include "commands/apart.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <tessera/error.hpp>
#include <utility>

#include "commands/failure.hpp"
#include "commands/posix/forked.hpp"

namespace tessera::tool {
namespace {

/// Kinds of lines, by their first character.
constexpr char kOpened = 'O', kBegun = 'B', kNote = 'N', kResult = 'R', kFailed = 'F';

double patience() {
  constexpr double kPatience = 300;
  const char* const wish = std::getenv("TESSERA_SELF_CHECK");
  const double seconds = wish != nullptr ? std::strtod(wish, nullptr) : 0;
  return seconds > 0 ? seconds : kPatience;
}

/// Works on items from `first` on, in the other process.
void work_from(std::size_t first, std::size_t items, const Apart& apart, const Forked::Send& send) {
  try {
    send(kOpened + apart.open());
    for (std::size_t item = first; item < items; item++) {
      send(std::string(1, kBegun));
      send(kResult + apart.work(item, [&](const std::string& note) { send(kNote + note); }));
    }
    apart.close();
  } catch (const std::exception& error) {
    const auto [status, what] = failure_of(error);
    send(fmt::format("{}{} {}", kFailed, status, what));
  }
}

[[noreturn]] void fail_as(const std::string& said) {
  const auto blank = said.find(' ');
  throw ForeignFailure(std::atoi(said.c_str()), said.substr(blank + 1));
}

}  // namespace

void work_apart(std::size_t items, const Apart& apart) {
  const double seconds = patience();
  bool was_opened = false;
  for (std::size_t item = 0; item < items;) {
    Forked process([&](const Forked::Send& send) { work_from(item, items, apart, send); });
    std::optional<std::string> note;                   // of the item that was begun
    while (const auto line = process.line(seconds)) {  // to the end, which a simulator's log needs
      const std::string rest = line->substr(1);
      switch (line->front()) {
        case kOpened:
          if (!std::exchange(was_opened, true)) apart.opened(rest);
          break;
        case kBegun: note = "before its first trial"; break;
        case kNote: note = rest; break;
        case kResult:
          apart.done(item++, rest);
          note.reset();
          break;
        default: fail_as(rest);
      }
    }
    const std::string fate = process.end();
    if (item == items) return;
    if (!note)
      throw Error(ErrorCode::worker_failed,
                  fmt::format("the process that opened the device {}", fate));
    apart.crashed(item++, *note, fate);
  }
}

}  // namespace tessera::tool
