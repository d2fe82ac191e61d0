// Worker process: the worker program, started on a device and a problem, as the tuner sees it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tuning/protocol.hpp"

namespace tessera::inline v0::tuning {

/// $TESSERA_WORKER, else tessera/tessera-worker beside the library, or in the lib folder beside the
/// program's; always an absolute path. Throws Error if there is none, or if the variable is
/// relative.
std::filesystem::path worker_program();

class WorkerProcess {
 public:
  /// Starts the program, which opens the device; its first message tells whether it could. Throws
  /// Error if it cannot be started.
  WorkerProcess(const DeviceInfo& device, const Problem& problem);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Kills the process.
  ~WorkerProcess();

  void send(const Json& request) const;
  /// The file descriptor, readable when there is a message to receive or the process has ended.
  int file() const { return connection_; }
  /// Reads what has arrived, without waiting; false at the end of the stream.
  bool read();
  /// The next complete message of what was read. Throws Error if the program is not the worker of
  /// this version of the library.
  std::optional<Json> receive();
  /// Kills it if it still runs, and says how it ended: "killed by signal 11 (Segmentation
  /// fault)".
  std::string end();

 private:
  int stop() noexcept;

  std::string program_;
  bool greeted_ = false;
  pid_t process_ = -1;
  int connection_ = -1;  // a socket, both ways
  std::string received_;
};

}  // namespace tessera::inline v0::tuning
