// Faults: OpenCL calls of this program that fail on demand, and a count of unreleased objects.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera::test {

/// Fault: what fails, and when. Numbers are from 0.
struct Fault {
  enum class Kind {
    call,     ///< call number `number` of `function` does nothing and returns `code`
    command,  ///< a command is accepted and never runs, its event has failed, later ones run
    lost,     ///< from wait number `number` on all waits fail, and so do queries of events and
              ///< enqueued commands, while the device continues
    stall,    ///< call number `number` takes `milliseconds` longer
    random    ///< one call in `one_in`, but no release or clFinish, and one command in as many, by
              ///< `seed`
  };
  Kind kind = Kind::call;
  std::string function = {};  ///< the calls or commands that are counted; empty for all of them
  long number = 0;
  int code = -5;  // CL_OUT_OF_RESOURCES
  int milliseconds = 0;
  unsigned seed = 0;
  unsigned one_in = 0;
  bool alone = false;  ///< only the device of that wait is lost, which has a context of its own
};

/// Counts from here on, and lets these happen.
void inject(std::vector<Fault> faults);
/// The faults that a text names; throws std::invalid_argument. Numbers there are from 1:
///   call=FUNCTION:N[:CODE]  command=N  command=FUNCTION:N  lost=N  stall=FUNCTION:N:MILLISECONDS
///   random=SEED:ONE_IN, several of them with commas between.
std::vector<Fault> parse_faults(const std::string& text);

/// Counts calls from here on, and lets call number `number` (from 0) fail with CL_OUT_OF_RESOURCES.
void fail_call(long number);
/// Counts commands from here on, and lets command number `number` (from 0) fail on the device.
void fail_command(long number);
/// Counts calls that wait from here on, and loses the device at number `number` (from 0).
void lose_device(long number);
/// The same for one of several devices in contexts of their own, the device of the wait.
void lose_one_device(long number);
/// Ends all transfers whose end no call has reported. Returns those whose host memory has been
/// freed; empty if there are none.
std::string land();
/// No call fails, and none is counted.
void fail_none();
/// From here on, no device shares its memory with the host.
void separate_memory(bool separate);
/// From here on, rectangles are refused that reach beyond a row of their pitch, or whose last pitch
/// ends behind the buffer: NVIDIA's driver 580 takes neither.
void refuse_odd_rectangles(bool refuse);
/// From here on, a wait for events ends without an error where their commands failed: so it does
/// with NVIDIA's driver 580.
void silence_waits(bool silent);
/// From here on, every time of an event is zero.
void stop_clock(bool stop);

/// Calls since inject() or fail_*().
long calls();
/// The number of these calls per function; 0 if there were none.
std::map<std::string, long> calls_by_function();
/// The codes with which a function may fail.
std::vector<int> codes(const std::string& function);
/// Calls that enqueue a command.
long commands();
/// Calls that wait for the device.
long waits();
/// How many calls and commands have failed by a fault.
long failures();
/// The call that failed last, or whose command failed; empty where none did.
std::string failed_call();
/// References to OpenCL objects that were taken and not given back, by kind; empty if there are
/// none.
std::string unreleased();

}  // namespace tessera::test
