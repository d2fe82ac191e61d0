// Runs probes.
#include "runtime/probe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/first_use.hpp"
#include "runtime/log.hpp"
#include "runtime/submission.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Throws Error.
bool passes(Stream& stream, const Probe& probe) {
  const auto program = stream.context().programs().get(probe.file, probe.options);
  std::string name = probe.file.substr(0, probe.file.rfind('.'));
  std::ranges::replace(name, '/', '_');
  Submission submission(stream, {});
  auto& wrong = submission.host_memory<std::vector<cl_uint>>();
  wrong.assign(probe.group[0] * probe.group[1], 1);
  const auto answers = submission.scratch(wrong.size() * sizeof(cl_uint), "a probe");
  const Grid grid{{1, 1}, probe.group};
  Kernel& kernel = program->kernel(name);
  if (probe.memory > 0) {
    submission.launch(kernel, grid, answers, submission.scratch(probe.memory, "a probe"));
  } else {
    submission.launch(kernel, grid, answers);
  }
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(answers, CL_TRUE, 0, wrong.size() * sizeof(cl_uint), wrong.data(),
                                nullptr, event);
      },
      "reading a probe's answer");
  submission.report_failure();
  return std::ranges::all_of(wrong, [](cl_uint count) { return count == 0; });
}

void log_failure(const Probe& probe, const std::string& why) {
  log(fmt::format("{} {}: {}", probe.file, probe.options, why));
}

}  // namespace

Json json_of(const Probe& probe) {
  return {{"file", probe.file},
          {"options", probe.options},
          {"group", probe.group},
          {"memory", probe.memory}};
}

Probe probe_of(const Json& json) {
  const auto extent = [&](std::size_t i) { return number<std::size_t>(json.at("group").at(i)); };
  return {.file = json.at("file"),
          .options = json.at("options"),
          .group = {extent(0), extent(1)},
          .memory = number<std::uint64_t>(json.at("memory"))};
}

Finding run_probe(Stream& caller, const Probe& probe) try {
  // Not the caller's stream: it may be waiting for something that the caller has yet to do.
  Stream stream(caller.context(), Reports::own);
  return {passes(stream, probe)};
} catch (const Error& error) {
  log_failure(probe, error.what());
  return {false, dynamic_cast<const BuildError*>(&error) != nullptr};
}

Finding try_probe(Stream& caller, const Probe& probe) {
  const auto reply = ask_child(caller.context(), {{"do", "probe"}, {"probe", json_of(probe)}});
  if (reply && !reply->fate.empty()) {
    log_failure(probe, "the process that tried it " + reply->fate);
    return {};
  }
  if (!reply || !reply->answer.contains("works")) return run_probe(caller, probe);
  return {reply->answer["works"] == true, reply->answer.value("certain", false)};
}

}  // namespace tessera::inline v0::runtime
