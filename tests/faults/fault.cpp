// Faults: selects the calls and commands that fail, and counts the consequences.
#include "fault.hpp"

#include <dlfcn.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "intercept.hpp"

namespace tessera::test {
namespace intercept {
namespace {

std::atomic<bool> counting = false;
std::atomic<bool> refusing_odd_rectangles = false, separating_memory = false, clock_stands = false,
                  silent_waits = false;
std::atomic<long> count = 0, enqueued = 0, waits_begun = 0, failure_count = 0;
std::atomic<const EntryPoint*> failed = nullptr;
std::atomic<cl_context> lost_context = nullptr;  // if only one device is lost
std::vector<Fault> faults;                       // changes while nothing is counted

std::mutex references_mutex;
std::map<std::string, long> references;

/// The loader's own functions, in whatever order libraries are searched.
cl_icd_dispatch functions_of_loader() {
  cl_icd_dispatch functions{};
  void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto find = [&](const char* name) {
    void* const function = library != nullptr ? dlsym(library, name) : nullptr;
    if (function == nullptr) {
      std::fprintf(stderr, "libOpenCL.so.1 has no %s\n", name);
      std::abort();
    }
    return function;
  };
#define FIND(name, ...) functions.name = reinterpret_cast<decltype(functions.name)>(find(#name));
  FOR_EACH_ENTRY_POINT(FIND)
#undef FIND
  return functions;
}

std::atomic<const cl_icd_dispatch*> given = nullptr;

bool counts(const Fault& fault, const EntryPoint& entry) {
  return fault.function.empty() || fault.function == entry.name;
}

/// Random number for the faults that occur at random: a hash, so that a seed and an order of calls
/// determine them.
std::uint64_t random_number(unsigned seed, long number, unsigned stream) {
  std::uint64_t bits = (std::uint64_t{seed} << 34 | stream) +
                       0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(number + 1);
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

std::size_t number_of_codes(const EntryPoint& entry) {
  std::size_t number = 0;
  while (entry.codes[number] != 0) number++;
  return number;
}

cl_int note_failure(const EntryPoint& entry, cl_int code) {
  failed = &entry;
  failure_count++;
  return code;
}

}  // namespace

const cl_icd_dispatch& next() {
  if (const cl_icd_dispatch* const functions = given) return *functions;
  static const cl_icd_dispatch loader = functions_of_loader();
  return loader;
}

void set_next(const cl_icd_dispatch* functions) { given = functions; }

cl_int begin(EntryPoint& entry, cl_command_queue queue) {
  if (!counting) return CL_SUCCESS;
  const long own = entry.calls++, all = count++;
  if (queue != nullptr && lost(context_of(queue))) return note_failure(entry, kFault);
  for (const Fault& fault : faults) {
    const bool is_meant =
        counts(fault, entry) && (fault.function.empty() ? all : own) == fault.number;
    if (fault.kind == Fault::Kind::call && is_meant) return note_failure(entry, fault.code);
    if (fault.kind == Fault::Kind::stall && is_meant)
      std::this_thread::sleep_for(std::chrono::milliseconds(fault.milliseconds));
    // What OpenCL does not release stays, and so does what the device may still use where waiting
    // for all of it has failed.
    if (fault.kind != Fault::Kind::random || entry.name.starts_with("clRelease") ||
        entry.name == "clFinish")
      continue;
    const std::uint64_t bits = random_number(fault.seed, all, 0);
    if (bits % fault.one_in == 0)
      return note_failure(entry, entry.codes[(bits >> 32) % number_of_codes(entry)]);
  }
  return CL_SUCCESS;
}

bool drops_command(const EntryPoint& entry) {
  if (!counting) return false;
  const long own = entry.calls - 1, all = enqueued++;
  for (const Fault& fault : faults) {
    const bool is_meant =
        fault.kind == Fault::Kind::command
            ? counts(fault, entry) && (fault.function.empty() ? all : own) == fault.number
            : fault.kind == Fault::Kind::random &&
                  random_number(fault.seed, all, 1) % fault.one_in == 0;
    if (!is_meant) continue;
    note_failure(entry, kFault);
    return true;
  }
  return false;
}

cl_context context_of(cl_command_queue queue) {
  cl_context context = nullptr;
  next().clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context,
                               static_cast<void*>(&context), nullptr);
  return context;
}

cl_context context_of(cl_event event) {
  cl_context context = nullptr;
  next().clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, static_cast<void*>(&context),
                        nullptr);
  return context;
}

bool lost(cl_context context) {
  if (!counting) return false;
  for (const Fault& fault : faults) {
    if (fault.kind != Fault::Kind::lost || waits_begun <= fault.number) continue;
    if (!fault.alone) return true;
    cl_context none = nullptr;
    lost_context.compare_exchange_strong(none, context);
    if (lost_context == context) return true;
  }
  return false;
}

cl_int waited(cl_int status, cl_context context, void (*ended)(const void*), const void* what) {
  if (counting) {
    waits_begun++;
    if (lost(context)) return note_failure(at(Entry::clWaitForEvents), kFault);
  }
  if (status == CL_SUCCESS) ended(what);
  return status;
}

bool is_odd(cl_mem buffer, const size_t* origin, const size_t* region, size_t pitch) {
  if (!refusing_odd_rectangles) return false;
  size_t size = 0;
  next().clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr);
  return origin[0] + region[0] > pitch || (origin[1] + region[1]) * pitch > size;
}

bool separates_memory() { return separating_memory; }
bool times_are_zero() { return clock_stands; }
bool waits_are_silent() { return silent_waits; }

void refer(const char* kind, long change) {
  const std::lock_guard lock(references_mutex);
  references[kind] += change;
}

cl_int failed_event(cl_command_queue queue, cl_event* event) {
  if (event == nullptr) return CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  *event = next().clCreateUserEvent(context_of(queue), &status);
  return next().clSetUserEventStatus(*event, kFault);
}

std::vector<cl_event> not_failed(cl_uint number, const cl_event* events) {
  std::vector<cl_event> others;
  for (cl_uint i = 0; i < number; i++) {
    cl_int status = CL_QUEUED;
    next().clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                          nullptr);
    if (status >= CL_COMPLETE) others.push_back(events[i]);
  }
  return others;
}

}  // namespace intercept

using namespace intercept;

void inject(std::vector<Fault> all) {
  counting = false;
  faults = std::move(all);
  count = enqueued = waits_begun = failure_count = 0;
  for (EntryPoint& entry : entry_points) entry.calls = 0;
  lost_context = nullptr;
  failed = nullptr;
  counting = true;
}

void fail_call(long number) { inject({{.kind = Fault::Kind::call, .number = number}}); }
void fail_command(long number) { inject({{.kind = Fault::Kind::command, .number = number}}); }

void lose_device(long number) {
  inject({{.kind = Fault::Kind::lost, .number = number}});
  transfers::watch();
}

void lose_one_device(long number) {
  inject({{.kind = Fault::Kind::lost, .number = number, .alone = true}});
  transfers::watch();
}

std::string land() { return transfers::land(); }

void fail_none() { counting = false; }

void separate_memory(bool separate) { separating_memory = separate; }

void refuse_odd_rectangles(bool refuse) { refusing_odd_rectangles = refuse; }
void silence_waits(bool silent) { silent_waits = silent; }
void stop_clock(bool stop) { clock_stands = stop; }

long waits() { return waits_begun; }
long calls() { return count; }
long commands() { return enqueued; }
long failures() { return failure_count; }

std::map<std::string, long> calls_by_function() {
  std::map<std::string, long> all;
  for (const EntryPoint& entry : entry_points) all[std::string(entry.name)] = entry.calls;
  return all;
}

std::vector<int> codes(const std::string& function) {
  for (const EntryPoint& entry : entry_points) {
    if (entry.name == function)
      return {entry.codes.begin(), entry.codes.begin() + number_of_codes(entry)};
  }
  return {};
}

std::string failed_call() {
  const EntryPoint* const entry = failed;
  return entry != nullptr ? std::string(entry->name) : "";
}

std::string unreleased() {
  const std::lock_guard lock(references_mutex);
  std::string text;
  for (const auto& [kind, number] : references) {
    // Root devices have no references to count.
    if (number != 0 && kind != "device") text += kind + ": " + std::to_string(number) + " ";
  }
  return text;
}

}  // namespace tessera::test
