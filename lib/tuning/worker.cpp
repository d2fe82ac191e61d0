// The worker program: serves a tuner's requests from standard input, or those of a context that
// uses something for the first time, and may hang or crash.
#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/device_identity.hpp"
#include "runtime/json_reader.hpp"
#include "tuning/measure.hpp"
#include "tuning/protocol.hpp"
#include "tuning/worker_first_use.hpp"

namespace tessera::inline v0::tuning {
namespace {

std::unique_ptr<Measurement> open(const Json& request, const Answers& answers) {
  const Engine engine(EngineOptions{
      .device = runtime::selector_of(request.at("device")), .profiling = true, .profile = "off"});
  return std::make_unique<Measurement>(
      engine, problem_of(request.at("problem")), kPolicy,
      [&answers](WorkerStep step) { answers.send({{"step", row_of(step).name}}); });
}

Trial answer(Measurement& measurement, const Json& request) {
  const std::string what = request.at("do");
  const KernelChoice kernel = kernel_of(request.at("kernel"));
  if (what == "build") return measurement.build(kernel);
  if (what == "measure") return measurement.measure(kernel, number<double>(request.at("best"), 0));
  if (what == "time") return measurement.time(kernel, problem_of(request.at("problem")));
  return measurement.check(kernel, number<std::uint64_t>(request.at("seed")));
}

int serve(const Answers& answers) {
  std::unique_ptr<Measurement> measurement;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const Json request = runtime::parse(line);
      if (request.at("do").get<std::string>() == "open") {
        measurement = open(request, answers);
        continue;
      }
      if (request.at("do").get<std::string>() == "prepare") {
        measurement->prepare();
        continue;
      }
      const Trial trial = answer(*measurement, request);
      answers.send({{"trial", json_of(trial)}});
      // A device lost to an error comes back with a new process.
      if (trial.outcome == Outcome::crashed) return 1;
    } catch (const std::exception& error) {
      answers.send({{"error", error.what()}});
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tessera::inline v0::tuning

int main(int argc, char** argv) {
  std::signal(SIGINT, SIG_IGN);  // the parent ends the worker
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const tessera::tuning::Answers answers;
  answers.send(tessera::runtime::greeting());
  if (argc > 1 && std::string_view(argv[1]) == "first-use")
    return tessera::tuning::serve_first_uses(answers);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a kernel that hangs does not outlive its tuner
  return tessera::tuning::serve(answers);
}
