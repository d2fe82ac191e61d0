// Worker pool: worker processes at work for a tuner, some that build ahead and one that times.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tuning/evaluator.hpp"
#include "tuning/space.hpp"
#include "tuning/worker_process.hpp"

namespace tessera::inline v0::tuning {

class WorkerPool : public Evaluator {
 public:
  /// `build_limit`: seconds after which a process that builds is killed. One that runs a kernel is
  /// after 20 times the best, or two seconds; until there is a best, after the build limit.
  /// `started` is told of each configuration before a process takes it up.
  WorkerPool(const DeviceInfo& device, const TuneProblem& problem, const Space& space,
             unsigned builders, double build_limit, std::stop_token stop,
             std::function<void(const KernelChoice&)> started);

  void enqueue(std::size_t configuration) override;
  std::size_t pending() const override { return pending_; }
  std::size_t queue_capacity() const override;
  std::optional<Evaluation> next(double best, double deadline) override;
  void drop() override;
  std::optional<double> time(std::size_t configuration, const TuneProblem& problem,
                             double deadline) override;
  std::string check(std::size_t configuration) override;
  double now() const override;
  double date() const override;

 private:
  struct Job {
    std::size_t configuration;
    double build = 0;    // seconds that it took
    bool asked = false;  // by ask(), which waits for it
  };
  /// A process and what it is doing.
  struct Worker {
    std::unique_ptr<WorkerProcess> process;
    bool ready = false;
    std::optional<Job> job;
    std::string stage;
    double limit = 0;  // when it is killed
  };

  bool builds(const Worker& worker) const { return &worker != &workers_.front(); }
  bool any_builder_busy() const;
  void start(Worker& worker);
  void give_work(Worker& worker, const Job& job, const Json& request);
  void dispatch();
  void listen(double deadline);
  void read_messages(Worker& worker);
  void take(Worker& worker, const Json& message);
  void end(Worker& worker, Trial trial);
  void retire(Worker& worker, Outcome outcome, const std::string& reason);
  double run_limit() const;
  std::optional<Trial> request_and_wait(std::size_t configuration, const Json& request,
                                        double deadline);

  using Clock = std::chrono::steady_clock;
  Clock::time_point opened_ = Clock::now();
  DeviceInfo device_;
  TuneProblem problem_;
  const Space& space_;
  double build_limit_;
  std::stop_token stop_;
  std::function<void(const KernelChoice&)> started_;
  std::vector<Worker> workers_;  // the first one times
  std::deque<Job> to_build_, to_time_;
  std::deque<Evaluation> ended_;
  std::optional<Trial> answer_;  // to ask()
  std::size_t pending_ = 0;
  bool timing_ = false;  // on a CPU, which either builds or times
  double best_ = 0;
  int failed_starts_ = 0;
};

}  // namespace tessera::inline v0::tuning
