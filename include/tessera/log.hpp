// Log: what the library reports while it runs, on standard error or to a handler of the program's.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// The importance of a message, or the least importance of messages to report.
enum class LogLevel : std::int32_t {
  off = 0,      ///< nothing; a threshold only
  warning = 1,  ///< a result is slower or less safe than the program may expect
  info = 2,     ///< kernels that ran and the reason, builds and their times, phases of solves
};

/// Receives a message: valid UTF-8 is not guaranteed, control characters other than tabs and line
/// feeds are replaced, and there is no line feed at the end. A compiler's log has several lines.
using LogHandler = std::function<void(LogLevel level, std::string_view message)>;

/// Replaces the handler of the process and returns the previous one. An empty handler writes lines
/// to standard error that begin with "tessera: ", as the library does from the start.
///
/// Any thread may call the handler, also threads of the OpenCL runtime, and several at once. A call
/// that has begun may still be running when set_log_handler() returns. What the handler throws is
/// dropped. Messages that the handler causes, as by an operation, reach the handler too. Safe to
/// call from several threads.
TESSERA_API LogHandler set_log_handler(LogHandler handler);

/// Replaces the threshold of the process and returns the previous one: at first `info` if
/// $TESSERA_LOG is "info", `off` if it is "off", else `warning`. The tuner's worker processes read
/// the variable and write to standard error. Safe to call from several threads.
TESSERA_API LogLevel set_log_level(LogLevel level);

/// The threshold of the process.
TESSERA_API LogLevel log_level();

/// "off", "warning" or "info".
TESSERA_API std::string_view to_string(LogLevel level);

}  // namespace tessera::inline v0
