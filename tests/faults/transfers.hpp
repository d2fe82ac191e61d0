// Transfers: host memory that the device may still use, given the calls that the host has made.
#pragma once

#include <cstddef>
#include <string>

#include "opencl_header.hpp"

namespace tessera::test::transfers {

/// From here on, transfers are noted, and what becomes of their memory. Memory on the stack of the
/// calling thread counts as freed where it is called from there.
void watch();
/// Ends all transfers whose end no call has reported, and stops watching them. Returns those whose
/// memory has been freed; empty if there are none.
std::string land();

/// A command that is about to be enqueued: it comes after earlier commands of its queue and the
/// events.
class Command {
 public:
  Command(cl_command_queue queue, cl_uint number, const cl_event* events);
  /// It uses host memory.
  void uses(const void* memory, std::size_t bytes, bool writes);
  /// Registers the result: a command that was not accepted uses no memory.
  void enqueued(cl_int status, const cl_event* event);

 private:
  cl_command_queue queue_;
  long number_ = 0;  // in its queue; 0 if nothing is watched
};

/// The host has waited for all commands of the queue.
void finished(cl_command_queue queue);
/// The host has waited for this event's command, and so for all earlier ones that it depends on.
void finished(cl_event event);
/// This is the host's own event, of no command.
void created(cl_event event);

}  // namespace tessera::test::transfers
