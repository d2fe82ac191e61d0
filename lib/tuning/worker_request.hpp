// Worker request: what a tuner asks a worker to do, as the protocol names it.
#pragma once

#include <string_view>

#include "tuning/protocol.hpp"

namespace tessera::inline v0::tuning {

enum class WorkerRequest {
  open,     ///< open a device for a problem; comes first and has no answer
  prepare,  ///< make operands in advance; has no answer
  build,    ///< build a kernel
  measure,  ///< build, check and time a kernel
  time,     ///< time a kernel that was measured before, on this or another problem
  check,    ///< check a kernel on odd, tall, wide and tiny sizes
};

struct RequestRow {
  WorkerRequest request;
  std::string_view name;
  bool is_timed = false;  ///< the trial that answers it has runs
};

const RequestRow& row_of(WorkerRequest request);

/// The line for a worker: `arguments` with the request's name.
Json json_of(WorkerRequest request, const Json& arguments);
/// The request that a line names. Throws Error, which lists the names that exist, for another one.
WorkerRequest request_of(const Json& line);

}  // namespace tessera::inline v0::tuning
