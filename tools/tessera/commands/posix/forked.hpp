// Forked: a function in a process of its own, which may crash or hang, and the lines that it sends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace tessera::tool {

class Forked {
 public:
  using Send = std::function<void(const std::string& line)>;

  /// Calls `work(send)` in a process that is forked from this one, which must not have used OpenCL
  /// and has one thread. It ends with this process. Throws std::system_error.
  explicit Forked(const std::function<void(const Send&)>& work);
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  /// Kills the process.
  ~Forked();

  /// Waits for the next line; nothing if the process has ended, or was silent for `seconds`.
  std::optional<std::string> line(double seconds);
  /// Kills the process if it still runs. How it ended, in words: "was killed by signal 11
  /// (Segmentation fault)", "ended with status 8", "took more than 300 s" if that was line()'s
  /// reason.
  std::string end();

 private:
  pid_t process_ = -1;
  int lines_ = -1;
  std::string received_;
  std::string silence_;
};

}  // namespace tessera::tool
