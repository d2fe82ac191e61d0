// Worker process: starts the worker program on a device and a problem, and exchanges messages.
#pragma once

#include <optional>
#include <string>

#include "runtime/child_process.hpp"
#include "tuning/protocol.hpp"
#include "tuning/worker_request.hpp"

namespace tessera::inline v0::tuning {

class WorkerProcess {
 public:
  /// Starts the program, which opens the device. If the device does not open, the program's first
  /// message is an error. Throws Error if the program cannot be started.
  WorkerProcess(const DeviceInfo& device, const Problem& problem);

  void send(WorkerRequest request, const Json& arguments = Json::object()) const {
    process_.send(json_of(request, arguments));
  }
  const runtime::Subprocess& process() const { return process_.process(); }
  bool read() { return process_.read(); }
  std::optional<Json> receive() { return process_.receive(); }
  /// Kills it if it still runs, and says how it ended: "killed by signal 11 (Segmentation
  /// fault)".
  std::string end();

 private:
  runtime::ChildProcess process_;
};

}  // namespace tessera::inline v0::tuning
