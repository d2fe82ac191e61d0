// Transfers: host memory that the device may still use, as far as the host has been told.
#pragma once

#include <cstddef>
#include <string>

#include "opencl_header.hpp"

namespace tessera::test::transfers {

/// From here on, transfers are noted, and what becomes of their memory. Memory on the stack of the
/// calling thread counts as freed where it is called from there.
void watch();
/// The transfers whose end no call has told since then end now, and none is watched any more. Those
/// whose memory has been freed; empty where there are none.
std::string land();

/// A command that is about to be enqueued: after those of its queue and the events.
class Command {
 public:
  Command(cl_command_queue queue, cl_uint number, const cl_event* events);
  /// It uses host memory.
  void uses(const void* memory, std::size_t bytes, bool writes);
  /// What came of it: a command that was not accepted uses nothing.
  void enqueued(cl_int status, const cl_event* event);

 private:
  cl_command_queue queue_;
  long number_ = 0;  // in its queue; 0 where nothing is watched
};

/// The host knows that all commands of the queue have ended.
void finished(cl_command_queue queue);
/// The host knows that this event's command has, and all that it came after.
void finished(cl_event event);
/// This is the host's own event, of no command.
void created(cl_event event);

}  // namespace tessera::test::transfers
