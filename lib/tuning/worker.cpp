// The worker program, which may hang or crash. It serves requests from standard input: a tuner's,
// or a context's that uses something for the first time.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/device_identity.hpp"
#include "runtime/json_reader.hpp"
#include "runtime/worker_life.hpp"
#include "tessera/error.hpp"
#include "tuning/measure.hpp"
#include "tuning/protocol.hpp"
#include "tuning/worker_first_use.hpp"
#include "tuning/worker_request.hpp"

namespace tessera::inline v0::tuning {
namespace {

std::unique_ptr<Measurement> open(const Json& request, const Answers& answers) {
  const Engine engine(EngineOptions{
      .device = runtime::selector_of(request.at("device")), .profiling = true, .profile = "off"});
  return std::make_unique<Measurement>(engine, problem_of(request.at("problem")), kPolicy,
                                       [&answers](WorkerStep step) {
                                         answers.send({{"step", row_of(step).name}});
                                       });
}

/// The trial that answers a request; nothing for a request without an answer.
std::optional<Trial> answer(std::unique_ptr<Measurement>& measurement, const Json& request,
                            const Answers& answers) {
  const WorkerRequest what = request_of(request);
  if (what != WorkerRequest::open && !measurement)
    throw Error(ErrorCode::worker_failed, "worker: the first request must be open");
  const auto kernel = [&] { return kernel_of(request.at("kernel")); };
  switch (what) {
    case WorkerRequest::open: measurement = open(request, answers); break;
    case WorkerRequest::prepare: measurement->prepare(); break;
    case WorkerRequest::build: return measurement->build(kernel());
    case WorkerRequest::measure:
      return measurement->measure(kernel(), number<double>(request.at("best"), 0));
    case WorkerRequest::time: return measurement->time(kernel(), problem_of(request.at("problem")));
    case WorkerRequest::check:
      return measurement->check(kernel(), number<std::uint64_t>(request.at("seed")));
  }
  return std::nullopt;
}

int serve(const Answers& answers) {
  std::unique_ptr<Measurement> measurement;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const auto trial = answer(measurement, runtime::parse(line), answers);
      if (!trial) continue;
      answers.send({{"trial", json_of(*trial)}});
      // A device lost to an error comes back with a new process.
      if (trial->outcome == Outcome::crashed) return 1;
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
  tessera::runtime::begin_worker_life();
  const tessera::tuning::Answers answers;
  answers.send(tessera::runtime::greeting());
  if (argc > 1 && std::string_view(argv[1]) == "first-use")
    return tessera::tuning::serve_first_uses(answers);
  tessera::runtime::end_with_parent();
  return tessera::tuning::serve(answers);
}
