// Child process: the worker program, started to do what may crash or hang, as its parent sees it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/json_reader.hpp"

namespace tessera::inline v0::runtime {

/// $TESSERA_WORKER, else tessera/tessera-worker beside the library, or in the lib folder beside the
/// program's; always an absolute path. Throws Error if there is none, or if the variable is
/// relative or "off".
std::filesystem::path worker_program();

/// A worker's first message: the version of the library.
Json greeting();

/// The end of a process.
struct Ending {
  int status = 0;  ///< from waitpid()

  /// Returns whether the process was ended by a signal that drivers do not raise, but a user, a
  /// service manager or a shortage of memory does.
  bool is_from_outside() const;
  /// "killed by signal 11 (Segmentation fault)", "ended with status 8".
  std::string text() const;
};

/// One thread at a time. A process that was forked from the parent leaves the child alone.
class ChildProcess {
 public:
  /// Starts the program with `arguments`; its standard output goes to the connection, its standard
  /// error nowhere unless there is a log. Throws Error if it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& arguments = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills the process.
  ~ChildProcess();

  void send(const Json& request) const;
  /// The file descriptor, readable when there is a message to receive or the process has ended.
  int file() const { return connection_; }
  /// Reads what has arrived, without waiting; false at the end of the stream.
  bool read();
  /// The next complete message that was read; it is discarded() if it is not JSON. Throws Error if
  /// the program is not the worker of this version of the library.
  std::optional<Json> receive();
  /// Kills it if it still runs; nothing if it was ended before.
  std::optional<Ending> end() noexcept;

 private:
  std::string program_;
  bool greeted_ = false;
  pid_t parent_;
  pid_t process_ = -1;
  int connection_ = -1;  // a socket, both ways
  std::string received_;
};

}  // namespace tessera::inline v0::runtime
