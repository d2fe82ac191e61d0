// The worker program: serves a tuner's requests from standard input, and may hang or crash.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "runtime/json_reader.hpp"
#include "tessera/device.hpp"
#include "tessera/error.hpp"
#include "tuning/measure.hpp"
#include "tuning/protocol.hpp"

namespace tessera::inline v0::tuning {
namespace {

/// Messages to the tuner; what drivers print on standard output goes to standard error.
class Answers {
 public:
  Answers() : file_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  void send(const Json& json) const {
    const std::string line = line_of(json);
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(1);
  }

 private:
  int file_;
};

/// The tuner's device: under the same selector, or another one if the order has changed.
std::string selector_of(const Json& wanted) {
  const auto text = [&](const char* key) { return wanted.at(key).get<std::string>(); };
  std::string found;
  for (const DeviceInfo& device : devices()) {
    if (device.name != text("name") || device.platform != text("platform") ||
        device.driver != text("driver"))
      continue;
    if (found.empty() || device.selector == text("selector")) found = device.selector;
  }
  if (found.empty()) throw DeviceError(fmt::format("no device {}", text("name")));
  return found;
}

std::unique_ptr<Measurement> open(const Json& request, const Answers& answers) {
  const Engine engine(EngineOptions{
      .device = selector_of(request.at("device")), .profiling = true, .profile = "off"});
  return std::make_unique<Measurement>(engine, problem_of(request.at("problem")),
                                       [&answers](WorkerStep step) {
                                         answers.send({{"step", row_of(step).name}});
                                       });
}

Trial answer(Measurement& measurement, const Json& request) {
  const std::string what = request.at("do");
  const KernelChoice kernel = kernel_of(request.at("kernel"));
  if (what == "build") return measurement.build(kernel);
  if (what == "measure") return measurement.measure(kernel, number<double>(request.at("best"), 0));
  if (what == "time") return measurement.time(kernel, problem_of(request.at("problem")));
  return measurement.check(kernel, number<std::uint64_t>(request.at("seed")));
}

int serve() {
  const Answers answers;
  answers.send(greeting());
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

int main() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a kernel that hangs does not outlive its tuner
  std::signal(SIGINT, SIG_IGN);        // the tuner ends the worker
  return tessera::tuning::serve();
}
