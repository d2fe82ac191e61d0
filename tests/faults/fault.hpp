// Faults: OpenCL calls of this program that fail on demand, and a count of what was not released.
#pragma once

#include <string>

namespace tessera::test {

/// Counts calls from here on, and lets call number `number` (from 0) fail with CL_OUT_OF_RESOURCES.
void fail_call(long number);
/// Counts commands from here on, and lets command number `number` (from 0) fail on the device: it
/// is accepted and never runs, its event has failed, and later commands go on.
void fail_command(long number);
/// Counts calls that wait from here on. From number `number` (from 0) on they fail in every way,
/// and so do queries of events, while the device goes on.
void lose_device(long number);
/// The transfers whose end no call has told since then end now. Those whose host memory has been
/// freed; empty where there are none.
std::string land();
/// No call fails, and none is counted.
void fail_none();
/// From here on, no device shares its memory with the host.
void separate_memory(bool separate);
/// From here on, rectangles are refused that reach beyond a row of their pitch, or whose last pitch
/// ends behind the buffer: NVIDIA's driver 580 takes neither.
void refuse_odd_rectangles(bool refuse);

/// Calls since fail_call() or fail_command().
long calls();
/// Those of them that enqueue a command.
long commands();
/// Those of them that wait for the device.
long waits();
/// The call that failed, or whose command failed; empty where none did.
std::string failed_call();
/// References that were taken to OpenCL objects and not given back, by kind; empty where there are
/// none.
std::string unreleased();

}  // namespace tessera::test
