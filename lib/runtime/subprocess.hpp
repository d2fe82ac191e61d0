// Subprocess: a program that this process has started, and the streams between the two.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::inline v0::runtime {

/// The end of a process.
struct Ending {
  int status = 0;  ///< from waitpid(); on Windows the exit code

  /// Returns whether the process was ended by a signal that drivers do not raise, but a user, a
  /// service manager or a shortage of memory does.
  bool is_from_outside() const;
  /// "killed by signal 11 (Segmentation fault)", "ended with status 8".
  std::string text() const;
};

/// The file of a program, whose name ends in ".exe" on Windows.
std::filesystem::path program_file(std::filesystem::path stem);

/// One thread at a time. A process that was forked from the parent leaves the child alone.
class Subprocess {
 public:
  /// Starts a program whose standard input and output lead to this object. Its standard error goes
  /// nowhere unless there is a log. Throws Error if it cannot be started.
  Subprocess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;
  /// Kills the process.
  ~Subprocess();

  /// Requests are short: if the connection does not accept one at once, the program hangs anyway.
  void write(std::string_view bytes) const;
  /// Appends to `received` what has arrived, without waiting; false at the end of the stream.
  bool read(std::string& received);
  /// Kills it if it still runs; nothing if it was ended before.
  std::optional<Ending> end() noexcept;

  /// Waits until one of the processes has written something or ended, at most for `time`.
  static void wait(std::span<const Subprocess* const> processes, std::chrono::milliseconds time);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace tessera::inline v0::runtime
