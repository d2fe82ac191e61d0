// The loop over worker processes: dispatch work, read messages, end what takes too long.
#include "tuning/worker_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "tessera/error.hpp"

namespace tessera::inline v0::tuning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

WorkerPool::WorkerPool(const DeviceInfo& device, const Problem& problem, const Space& space,
                       Journal& journal, const PoolOptions& options)
    : device_(device),
      problem_(problem),
      space_(space),
      journal_(journal),
      options_(options),
      workers_(1 + options.builders),
      best_(kNever) {}

double WorkerPool::date() const {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Builders have work while built configurations wait for the process that times.
std::size_t WorkerPool::queue_capacity() const {
  return std::max<std::size_t>(1, 3 * (workers_.size() - 1));
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

double WorkerPool::limit(const Worker& worker) const {
  return limit_of(worker.step, options_.policy, options_.build_limit, best_);
}

double WorkerPool::time_left(const Worker& worker) const {
  return limit(worker) -
         options_.clock.spent(space_[worker.job->configuration], worker.step, worker.began);
}

void WorkerPool::end_if_over_limit(Worker& worker) {
  if (!worker.process || !worker.job || time_left(worker) > 0) return;
  if (now() - awake_ > options_.policy.suspended) return;  // the next listen() forgives it
  retire(worker, true,
         fmt::format("stopped after {:.3g} s of {}", limit(worker), row_of(worker.step).name));
}

void WorkerPool::start(Worker& worker) {
  worker = Worker{};
  worker.process = std::make_unique<WorkerProcess>(device_, problem_);
}

void WorkerPool::give_work(Worker& worker, const Job& job, WorkerRequest request,
                           const Json& arguments) {
  if (!worker.process) start(worker);
  worker.job = job;
  worker.job->is_timed = row_of(request).is_timed;
  worker.began = now();
  worker.process->send(request, arguments);
}

/// A CPU either builds or times; other devices do both at once.
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
      journal_.started(space_[job.configuration]);
      give_work(worker, job, WorkerRequest::build,
                {{"kernel", json_of(space_[job.configuration])}});
    }
  }
  if ((!exclusive || timing_) && !timer.job && !to_time_.empty()) {
    const Job job = to_time_.front();
    to_time_.pop_front();
    journal_.started(space_[job.configuration]);
    give_work(
        timer, job, WorkerRequest::measure,
        {{"kernel", json_of(space_[job.configuration])}, {"best", best_ < kNever ? best_ : 1e300}});
  }
}

void WorkerPool::end(Worker& worker, Trial trial) {
  const Job job = *worker.job;
  worker.job.reset();
  worker.step = WorkerStep::building;
  if (job.is_request) {
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
  journal_.ended(trial);
  ended_.push_back({job.configuration, std::move(trial)});
}

/// Requeues a job for another worker, ahead of waiting jobs.
void WorkerPool::put_back(Job job, bool was_building, const std::string& failure) {
  if (++job.failed_workers >= options_.policy.max_failed_workers)
    throw Error(ErrorCode::worker_failed, "tune: a worker fails while " + failure);
  if (job.is_request) {
    answer_ = Trial{.outcome = Outcome::crashed, .reason = "the worker failed"};
  } else {
    (was_building ? to_build_ : to_time_).push_front(job);
  }
}

/// Ends a process that died or must be killed, and the job that it was doing.
void WorkerPool::retire(Worker& worker, bool over_limit, const std::string& reason) {
  const std::string how = worker.process->end();
  const std::string why = reason.empty() ? how : reason;
  const StepRow& row = row_of(worker.step);
  const auto job = worker.job;
  worker = Worker{};
  const auto outcome = over_limit ? row.stopped : row.crashed;
  if (!job) return;
  if (!outcome) {
    put_back(*job, builds(worker), fmt::format("{}: {}", row.name, why));
    return;
  }
  worker.job = job;
  end(worker, {.kernel = {},
               .outcome = *outcome,
               .reason = why,
               .build = outcome == Outcome::build_timeout ? options_.build_limit : 0});
}

void WorkerPool::take(Worker& worker, const Json& message) {
  const auto refuse = [](const char* why) { throw Json::other_error::create(501, why, nullptr); };
  if (message.contains("step")) {
    const auto step = step_of(message["step"].get<std::string>());
    if (!step) refuse("no such step");
    worker.step = *step;
    worker.began = now();
  } else if (message.contains("trial")) {
    Trial trial = trial_of(message["trial"], options_.policy);
    if (!worker.job) refuse("a trial that was not requested");
    if (trial.kernel != space_[worker.job->configuration]) refuse("another kernel's trial");
    if (trial.good() && worker.job->is_timed == trial.runs.empty())
      refuse(worker.job->is_timed ? "a trial without runs" : "runs that were not requested");
    end(worker, std::move(trial));
  } else if (message.contains("error")) {
    retire(worker, false, message["error"]);
  } else {
    refuse("neither step nor trial nor error");
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
      retire(worker, false, fmt::format("unreadable answer: {}", error.what()));
    }
    end_if_over_limit(worker);
  }
  if (!open && worker.process) retire(worker, false, "");
}

/// Workers are suspended together with the tuner: time that passed so does not count.
void WorkerPool::forgive(double late) {
  if (late <= options_.policy.suspended) return;
  const double latest = now();
  for (Worker& worker : workers_) worker.began = std::min(worker.began + late, latest);
}

/// Waits for messages until the deadline or a tick; ends workers that are over their limits.
void WorkerPool::listen(double deadline) {
  std::vector<const runtime::Subprocess*> processes;
  double wait = std::min(deadline - now(), options_.policy.tick);
  for (const Worker& worker : workers_) {
    if (worker.process) processes.push_back(&worker.process->process());
    if (worker.process && worker.job) wait = std::min(wait, time_left(worker));
  }
  wait = std::max(0.0, wait);
  const double began = now();
  forgive(began - awake_);
  runtime::Subprocess::wait(processes,
                            std::chrono::milliseconds(static_cast<int>(std::ceil(wait * 1000))));
  awake_ = now();
  forgive(awake_ - began - wait);
  for (Worker& worker : workers_) {
    if (worker.process) read_messages(worker);
    end_if_over_limit(worker);
  }
}

std::optional<Evaluation> WorkerPool::next(double best, double deadline) {
  best_ = best;
  // While others build, the one that times can make its operands: on a GPU this slows no build.
  if (Worker& timer = workers_.front(); !timer.process && device_.type != DeviceType::cpu) {
    start(timer);
    timer.process->send(WorkerRequest::prepare);
  }
  while (ended_.empty()) {
    if (now() >= deadline || options_.cancel.cancelled() || pending_ == 0) return std::nullopt;
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

/// Sends one request to the process that times, once it is free; the queue stays as it is.
std::optional<Trial> WorkerPool::request_and_wait(std::size_t configuration, WorkerRequest request,
                                                  const Json& arguments, double deadline) {
  Worker& timer = workers_.front();
  const auto busy = [&] {
    return timer.job || (device_.type == DeviceType::cpu && any_builder_busy());
  };
  while (busy() && now() < deadline) listen(deadline);
  if (busy()) return std::nullopt;
  answer_.reset();
  Json all = {{"kernel", json_of(space_[configuration])}};
  all.update(arguments);
  give_work(timer, {.configuration = configuration, .is_request = true}, request, all);
  while (!answer_ && now() < deadline) listen(deadline);
  return std::exchange(answer_, std::nullopt);
}

std::optional<double> WorkerPool::time(std::size_t configuration, const Problem& problem,
                                       double deadline) {
  const auto trial = request_and_wait(configuration, WorkerRequest::time,
                                      {{"problem", json_of(problem)}}, deadline);
  if (!trial || trial->outcome != Outcome::ok) return std::nullopt;
  return trial->seconds();
}

std::string WorkerPool::check(std::size_t configuration, std::uint64_t seed) {
  const auto trial = request_and_wait(configuration, WorkerRequest::check, {{"seed", seed}},
                                      now() + options_.policy.last_check_limit);
  if (!trial) {
    workers_.front() = Worker{};  // the next one is not to wait for it
    return "the check did not end";
  }
  return trial->outcome == Outcome::ok
             ? ""
             : fmt::format("{}: {}", to_string(trial->outcome), trial->reason);
}

}  // namespace tessera::inline v0::tuning
