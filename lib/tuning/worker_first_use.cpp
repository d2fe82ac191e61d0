// Probes, kernels and solves that a device has not seen before, each with an alarm.
#include "tuning/worker_first_use.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "eigen/solve_apart.hpp"
#include "eigen/solver_kernels.hpp"
#include "kernels/json.hpp"
#include "kernels/planner.hpp"
#include "operations.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/device_identity.hpp"
#include "runtime/environment.hpp"
#include "runtime/exactness.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/probe.hpp"
#include "runtime/worker_life.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::tuning {
namespace {

using kernels::Json;

/// Lines of standard input. Its end is the parent's, whatever this process is doing: a signal at
/// the parent's death would come when the thread ends that started this process.
class Requests {
 public:
  Requests() {
    std::thread([this] {
      for (std::string line; std::getline(std::cin, line);) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
        arrived_.notify_one();
      }
      std::_Exit(0);
    }).detach();
  }

  /// The next one; nothing if there is none for some seconds.
  std::optional<std::string> next() {
    constexpr std::chrono::seconds kIdle(5);
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, kIdle, [this] { return !lines_.empty(); })) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::string> lines_;
};

/// An engine for requests of one device and environment.
struct Opened {
  explicit Opened(const Json& request) : with(request.at("environment")) {
    for (const auto& [name, value] : with.items())
      runtime::set_environment(name.c_str(), value.get<std::string>());
    engine.emplace(
        EngineOptions{.device = runtime::selector_of(request.at("device")), .profile = "off"});
  }

  Json with;
  std::optional<Engine> engine;
};

Json kernel(const Engine& engine, const Json& request) {
  const Problem problem = kernels::problem_of(request.at("problem"));
  const kernels::Operation& own = eigen::solver_kernels();
  const kernels::Operation& operation =
      problem.operation == own.name ? own : find_operation(problem.operation);
  try {
    return {{"failure", runtime::with_opencl_errors([&] {
               return kernels::use_first(runtime::stream_of(engine), operation, problem,
                                         kernels::kernel_of(request.at("kernel")));
             })}};
  } catch (const UnsupportedError& error) {  // what the driver said of the kernel is an answer
    return {{"failure", error.what()}};
  } catch (const BuildError& error) {
    return {{"failure", error.what()}};
  }
}

Json answer(const Engine& engine, const Json& request) {
  const std::string what = request.at("do");
  if (request.contains("capabilities"))
    runtime::assume_capabilities(
        runtime::stream_of(engine),
        capabilities_from_json(request["capabilities"].get<std::string>()));
  if (what == "probe") {
    const auto found =
        runtime::run_probe(runtime::stream_of(engine), runtime::probe_of(request.at("probe")));
    return {{"works", found.works}, {"certain", found.is_certain}};
  }
  if (what == "exactness") {
    const auto json = [](const runtime::Exactness& found) {
      return Json{
          {"products", found.products}, {"sums", found.sums}, {"quotients", found.quotients}};
    };
    const auto found =
        runtime::exact_arithmetic(runtime::stream_of(engine), request.at("with_doubles") == true);
    return {{"floats", json(found.floats)}, {"doubles", json(found.doubles)}};
  }
  if (what == "kernel") return kernel(engine, request);
  if (what == "solve") return eigen::solve_first(engine, request);
  throw Error(ErrorCode::worker_failed, "worker: unknown request '" + what +
                                            "'; expected one of probe, exactness, kernel, solve");
}

}  // namespace

int serve_first_uses(const Answers& answers) {
  constexpr unsigned kGrace = 5;  // the parent is the first to lose patience
  runtime::set_environment("TESSERA_WORKER", "off");
  // Outlives main(): the thread that reads uses it.
  static Requests& requests = *std::make_unique<Requests>().release();
  std::optional<Opened> opened;
  while (const auto line = requests.next()) {
    try {
      const Json request = runtime::parse(*line);
      runtime::end_after(kernels::number<unsigned>(request.at("limit")) + kGrace);
      if (!opened || opened->with != request.at("environment")) opened.emplace(request);
      answers.send({{"opened", true}});
      answers.send(answer(*opened->engine, request));
    } catch (const std::exception& error) {
      answers.send({{"error", error.what()}});
    }
    runtime::end_after(0);
  }
  return 0;
}

}  // namespace tessera::inline v0::tuning
