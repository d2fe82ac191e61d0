// Starts a worker for a tuner.
#include "tuning/worker_process.hpp"

#include "runtime/device_identity.hpp"

namespace tessera::inline v0::tuning {

WorkerProcess::WorkerProcess(const DeviceInfo& device, const Problem& problem) {
  send(WorkerRequest::open,
       {{"device", runtime::identity_of(device)}, {"problem", json_of(problem)}});
}

std::string WorkerProcess::end() {
  const auto ending = process_.end();
  return ending ? ending->text() : "";
}

}  // namespace tessera::inline v0::tuning
