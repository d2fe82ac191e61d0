// Intercept: what a call of OpenCL does instead of, before or after the next layer's function.
#pragma once

#include <string>
#include <vector>

#include "entry_points.hpp"
#include "own_work.hpp"
#include "transfers.hpp"

namespace tessera::test::intercept {

inline constexpr cl_int kFault = CL_OUT_OF_RESOURCES;

/// The functions behind those here: the loader's, or what an OpenCL layer was given.
const cl_icd_dispatch& next();
/// From here on they are these; null for the loader's.
void set_next(const cl_icd_dispatch* functions);

/// A call begins, on this queue if it is one that a lost device refuses: the code that it fails
/// with in place of doing anything, else CL_SUCCESS.
cl_int begin(EntryPoint& entry, cl_command_queue queue = nullptr);
/// Returns whether a command that is enqueued fails on the device.
bool drops_command(const EntryPoint& entry);
cl_context context_of(cl_command_queue queue);
cl_context context_of(cl_event event);
/// Returns whether the device of a context has been lost, so that calls fail.
bool lost(cl_context context);
/// Reports that a call has waited, with this status, for the commands that `ended()` registers. If
/// the device is lost, nothing is registered.
cl_int waited(cl_int status, cl_context context, void (*ended)(const void*), const void* what);
/// Returns whether this is a rectangle that refuse_odd_rectangles() describes.
bool is_odd(cl_mem buffer, const size_t* origin, const size_t* region, size_t pitch);
/// Returns whether devices report that they do not share memory with the host.
bool separates_memory();
/// Returns whether all times of events are zero.
bool times_are_zero();
/// Returns whether waits for events hide failed commands.
bool waits_are_silent();
/// A reference to an object was taken (1) or given back (-1).
void refer(const char* kind, long change);
/// The event of a command that has failed on the device.
cl_int failed_event(cl_command_queue queue, cl_event* event);
/// Returns the events that have not failed. On a runtime that continues after a failed command, a
/// barrier or a marker waits for these alone.
std::vector<cl_event> not_failed(cl_uint number, const cl_event* events);

/// A function that returns a status.
template <class Function, class... Arguments>
cl_int call(EntryPoint& entry, Function function, Arguments... arguments) {
  const OpenClCall inside;
  const cl_int fault = begin(entry);
  return fault != CL_SUCCESS ? fault : function(arguments...);
}

/// A function that makes an object; the last argument is where the status goes.
template <class Function, class... Arguments>
auto create(const char* kind, EntryPoint& entry, Function function, cl_int* status,
            Arguments... arguments) {
  const OpenClCall inside;
  using Handle = decltype(function(arguments..., status));
  const cl_int fault = begin(entry);
  if (fault != CL_SUCCESS) {
    if (status != nullptr) *status = fault;
    return Handle();
  }
  const Handle handle = function(arguments..., status);
  if (handle != nullptr) refer(kind, 1);
  return handle;
}

/// Host memory that a command uses.
struct HostMemory {
  const void* memory = nullptr;
  size_t bytes = 0;
  bool writes = false;
};

/// A function that enqueues a command; the event that it returns is a reference.
template <class Function, class... Arguments>
cl_int enqueue(EntryPoint& entry, Function function, const HostMemory& host, cl_uint number,
               const cl_event* events, cl_event* event, cl_command_queue queue,
               Arguments... arguments) {
  const OpenClCall inside;
  const cl_int fault = begin(entry, queue);
  if (fault != CL_SUCCESS) return fault;
  transfers::Command command(queue, number, events);
  if (host.memory != nullptr) command.uses(host.memory, host.bytes, host.writes);
  const cl_int status = drops_command(entry) ? failed_event(queue, event)
                                             : function(queue, arguments..., number, events, event);
  command.enqueued(status, event);
  if (status == CL_SUCCESS && event != nullptr) refer("event", 1);
  return status;
}

inline void queue_ended(const void* queue) {
  transfers::finished(*static_cast<const cl_command_queue*>(queue));
}

/// A command that reads or writes host memory, which a blocking one has done with.
template <class Function, class... Arguments>
cl_int transfer(EntryPoint& entry, Function function, cl_bool waits, const HostMemory& host,
                cl_uint number, const cl_event* events, cl_event* event, cl_command_queue queue,
                Arguments... arguments) {
  const cl_int status = enqueue(entry, function, host, number, events, event, queue, arguments...);
  return waits == CL_TRUE ? waited(status, context_of(queue), queue_ended, &queue) : status;
}

}  // namespace tessera::test::intercept
