// The loop over worker processes: hand out work, hear what comes, end what takes too long.
#include "tuning/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tessera/error.hpp"

namespace tessera::inline v0::tuning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTick = 0.1;   // seconds between looks at whether to stop
constexpr int kMostStarts = 3;  // of workers in a row that do not open the device

}  // namespace

WorkerPool::WorkerPool(const DeviceInfo& device, const TuneProblem& problem, const Space& space,
                       unsigned builders, double build_limit, std::stop_token stop,
                       std::function<void(const KernelChoice&)> started)
    : device_(device),
      problem_(problem),
      space_(space),
      build_limit_(build_limit),
      stop_(std::move(stop)),
      started_(std::move(started)),
      workers_(1 + builders) {}

double WorkerPool::now() const {
  return std::chrono::duration<double>(Clock::now() - opened_).count();
}

double WorkerPool::date() const {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::size_t WorkerPool::queue_capacity() const {
  return std::max<std::size_t>(1, 2 * (workers_.size() - 1));
}

void WorkerPool::enqueue(std::size_t configuration) {
  auto& queue = workers_.size() > 1 ? to_build_ : to_time_;
  queue.push_back({configuration});
  pending_++;
}

bool WorkerPool::any_builder_busy() const {
  return std::any_of(workers_.begin() + 1, workers_.end(),
                     [](const Worker& worker) { return worker.job.has_value(); });
}

/// Long enough for any kernel that could still be of use; for the first ones as long as a build.
double WorkerPool::run_limit() const {
  return best_ < kNever ? std::max(2.0, 20 * best_) : build_limit_;
}

void WorkerPool::start(Worker& worker) {
  worker = Worker{};
  worker.process = std::make_unique<WorkerProcess>(device_, problem_);
  worker.limit = now() + std::max(10.0, build_limit_);
}

void WorkerPool::give_work(Worker& worker, const Job& job, const Json& request) {
  if (!worker.process) start(worker);
  worker.job = job;
  worker.stage = "building";
  // Its first task waits for the device to be open.
  worker.limit = std::max(worker.ready ? 0 : worker.limit, now() + build_limit_);
  worker.process->send(request);
}

/// A CPU builds while it does not time, and the other way round; other devices do both.
void WorkerPool::dispatch() {
  const bool exclusive = device_.type == DeviceType::cpu && workers_.size() > 1;
  Worker& timer = workers_.front();
  if (exclusive) {
    if (timing_ && to_time_.empty() && !timer.job) timing_ = false;
    if (!timing_ && to_build_.empty() && !any_builder_busy()) timing_ = true;
  }
  if (!exclusive || !timing_) {
    for (Worker& worker : workers_) {
      if (!builds(worker) || worker.job || to_build_.empty()) continue;
      const Job job = to_build_.front();
      to_build_.pop_front();
      started_(space_[job.configuration]);
      give_work(worker, job, {{"do", "build"}, {"kernel", json_of(space_[job.configuration])}});
    }
  }
  if ((!exclusive || timing_) && !timer.job && !to_time_.empty()) {
    const Job job = to_time_.front();
    to_time_.pop_front();
    started_(space_[job.configuration]);
    give_work(timer, job,
              {{"do", "measure"},
               {"kernel", json_of(space_[job.configuration])},
               {"best", best_ < kNever ? best_ : 1e300}});
  }
}

void WorkerPool::end(Worker& worker, Trial trial) {
  const Job job = *worker.job;
  worker.job.reset();
  if (job.asked) {
    answer_ = std::move(trial);
    return;
  }
  if (builds(worker) && trial.outcome == Outcome::ok) {
    to_time_.push_back({job.configuration, trial.build});
    return;
  }
  trial.kernel = space_[job.configuration];
  trial.build += job.build;
  trial.ended = date();
  pending_--;
  ended_.push_back({job.configuration, std::move(trial)});
}

/// The process is gone, or has to go; with it what it was doing.
void WorkerPool::retire(Worker& worker, Outcome outcome, const std::string& reason) {
  const std::string how = worker.process->end();
  const bool was_ready = worker.ready;
  auto job = worker.job;
  worker = Worker{};
  if (!was_ready && ++failed_starts_ >= kMostStarts)
    throw Error(fmt::format("tune: a worker does not start: {}", reason.empty() ? how : reason));
  if (!job) return;
  worker.job = job;
  end(worker, {.kernel = {},
               .outcome = outcome,
               .reason = reason.empty() ? how : reason,
               .build = outcome == Outcome::build_timeout ? build_limit_ : 0});
}

void WorkerPool::take(Worker& worker, const Json& message) {
  if (message.contains("ready")) {
    worker.ready = true;
    failed_starts_ = 0;
    worker.limit = now() + build_limit_;
  } else if (message.contains("stage")) {
    worker.stage = message["stage"];
    // The first launch on a CPU may compile.
    const bool compiles = builds(worker) || (worker.stage != "running" && worker.stage != "timing");
    worker.limit = now() + (compiles ? build_limit_ : run_limit());
  } else if (message.contains("attempt")) {
    end(worker, trial_of(message["attempt"]));
  } else if (message.contains("error")) {
    retire(worker, Outcome::crashed, message["error"]);
  }
}

void WorkerPool::read_messages(Worker& worker) {
  const bool open = worker.process->read();
  while (worker.process) {
    const auto message = worker.process->receive();
    if (!message) break;
    try {
      take(worker, *message);
    } catch (const Json::exception& error) {
      retire(worker, Outcome::crashed, fmt::format("unreadable answer: {}", error.what()));
    }
  }
  if (!open && worker.process) retire(worker, Outcome::crashed, "");
}

/// Waits for messages, until the deadline or a tick; ends what is over its limit.
void WorkerPool::listen(double deadline) {
  std::vector<pollfd> files;
  double until = std::min(deadline, now() + kTick);
  for (const Worker& worker : workers_) {
    files.push_back({worker.process ? worker.process->file() : -1, POLLIN, 0});
    if (worker.process && worker.job) until = std::min(until, worker.limit);
  }
  const double wait = std::ceil(std::max(0.0, until - now()) * 1000);
  ::poll(files.data(), files.size(), static_cast<int>(wait));
  for (std::size_t i = 0; i < workers_.size(); i++) {
    Worker& worker = workers_[i];
    if ((files[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && worker.process)
      read_messages(worker);
    if (!worker.process || !worker.job || now() < worker.limit) continue;
    const bool building = worker.stage == "building";
    retire(worker, building ? Outcome::build_timeout : Outcome::run_timeout,
           building ? fmt::format("stopped after {:.0f} s of building", build_limit_)
                    : fmt::format("stopped after {:.1f} s of {}",
                                  builds(worker) ? build_limit_ : run_limit(), worker.stage));
  }
}

std::optional<Evaluation> WorkerPool::next(double best, double deadline) {
  best_ = best;
  while (ended_.empty()) {
    if (now() >= deadline || stop_.stop_requested() || pending_ == 0) return std::nullopt;
    dispatch();
    listen(deadline);
  }
  Evaluation evaluation = std::move(ended_.front());
  ended_.pop_front();
  return evaluation;
}

void WorkerPool::drop() {
  to_build_.clear();
  to_time_.clear();
  ended_.clear();
  pending_ = 0;
  for (Worker& worker : workers_) {
    if (worker.job) worker = Worker{};
  }
}

/// One request to the process that times, once it is free; what is enqueued stays so.
std::optional<Trial> WorkerPool::request_and_wait(std::size_t configuration, const Json& request,
                                                  double deadline) {
  Worker& timer = workers_.front();
  const auto busy = [&] {
    return timer.job || (device_.type == DeviceType::cpu && any_builder_busy());
  };
  while (busy() && now() < deadline) listen(deadline);
  if (busy()) return std::nullopt;
  answer_.reset();
  give_work(timer, {.configuration = configuration, .asked = true}, request);
  while (!answer_ && now() < deadline) listen(deadline);
  return std::exchange(answer_, std::nullopt);
}

std::optional<double> WorkerPool::time(std::size_t configuration, const TuneProblem& problem,
                                       double deadline) {
  const auto trial = request_and_wait(
      configuration,
      {{"do", "time"}, {"kernel", json_of(space_[configuration])}, {"problem", json_of(problem)}},
      deadline);
  if (!trial || trial->outcome != Outcome::ok) return std::nullopt;
  return trial->seconds();
}

std::string WorkerPool::check(std::size_t configuration) {
  constexpr double kTime = 15;
  const auto trial = request_and_wait(configuration,
                                      {{"do", "check"},
                                       {"kernel", json_of(space_[configuration])},
                                       {"seed", static_cast<std::uint64_t>(date())}},
                                      now() + kTime);
  if (!trial) return "the check did not end";
  return trial->outcome == Outcome::ok ? ""
                                       : fmt::format("{}: {}", name(trial->outcome), trial->reason);
}

}  // namespace tessera::inline v0::tuning
