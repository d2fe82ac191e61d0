// Log: messages without control characters, to the program's handler or as lines on standard error,
// written whole so that messages of several threads do not interleave.
#include "runtime/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/environment.hpp"

namespace tessera::inline v0 {
namespace {

LogLevel initial_level() {
  const std::string wish = runtime::environment("TESSERA_LOG");
  if (wish == "info") return LogLevel::info;
  return wish == "off" ? LogLevel::off : LogLevel::warning;
}

struct State {
  std::atomic<LogLevel> level = initial_level();
  std::mutex mutex;
  std::shared_ptr<const LogHandler> handler;  // null: standard error
};

/// Never destroyed: threads of the runtime may log while the process exits.
State& state() {
  static State& state = *std::make_unique<State>().release();
  return state;
}

/// Names and drivers' texts come from files too: they do not control the terminal.
std::string without_controls(std::string text) {
  const auto controls = [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  };
  std::ranges::replace_if(text, controls, '?');
  // C1 controls, U+0080 to U+009F, are two bytes of UTF-8.
  const auto c1 = [](unsigned char lead, unsigned char c) {
    return lead == 0xc2 && (c & 0xe0) == 0x80;
  };
  auto pair = text.begin();
  while ((pair = std::adjacent_find(pair, text.end(), c1)) != text.end()) std::fill_n(pair, 2, '?');
  return text;
}

void report(LogLevel level, std::string_view message) noexcept try {
  if (state().level < level) return;
  const std::string text = without_controls(std::string(message));
  const auto handler = [] {
    const std::lock_guard lock(state().mutex);
    return state().handler;
  }();
  if (handler) return (*handler)(level, text);
  const std::string line =
      fmt::format("tessera: {}{}\n", level == LogLevel::warning ? "warning: " : "", text);
  std::fwrite(line.data(), 1, line.size(), stderr);
} catch (...) {  // a message that cannot be reported does not fail the operation
}

}  // namespace

LogHandler set_log_handler(LogHandler handler) {
  std::shared_ptr<const LogHandler> other;
  if (handler) other = std::make_shared<const LogHandler>(std::move(handler));
  {
    const std::lock_guard lock(state().mutex);
    std::swap(state().handler, other);
  }
  return other ? *other : LogHandler();
}

LogLevel set_log_level(LogLevel level) { return state().level.exchange(level); }

LogLevel log_level() { return state().level; }

std::string_view to_string(LogLevel level) {
  constexpr std::array<std::string_view, 3> kNames = {"off", "warning", "info"};
  return kNames.at(static_cast<std::size_t>(level));
}

namespace runtime {

bool log_wanted() { return state().level >= LogLevel::info; }

void log(std::string_view message) { report(LogLevel::info, message); }

void warn(std::string_view message) { report(LogLevel::warning, message); }

}  // namespace runtime
}  // namespace tessera::inline v0
