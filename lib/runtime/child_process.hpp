// Child process: the worker program, started to do what may crash or hang, as its parent sees it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/json_reader.hpp"
#include "runtime/subprocess.hpp"

namespace tessera::inline v0::runtime {

/// $TESSERA_WORKER, else tessera/tessera-worker beside the library, or in the lib folder beside the
/// program's; always an absolute path. Throws Error if there is none, or if the variable is
/// relative or "off".
std::filesystem::path worker_program();

/// A worker's first message: the version of the library.
Json greeting();

/// One thread at a time.
class ChildProcess {
 public:
  /// Starts the program with `arguments`. Throws Error if it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& arguments = {});

  void send(const Json& request) const;
  /// Subprocess::wait() waits for its messages.
  const Subprocess& process() const { return process_; }
  /// Reads what has arrived, without waiting; false at the end of the stream.
  bool read() { return process_.read(received_); }
  /// The next complete message that was read; it is discarded() if it is not JSON. Throws Error if
  /// the program is not the worker of this version of the library.
  std::optional<Json> receive();
  /// Kills it if it still runs; nothing if it was ended before.
  std::optional<Ending> end() noexcept { return process_.end(); }

 private:
  std::filesystem::path program_;
  Subprocess process_;
  bool greeted_ = false;
  std::string received_;
};

}  // namespace tessera::inline v0::runtime
