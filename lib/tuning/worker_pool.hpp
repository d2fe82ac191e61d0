// Worker pool: a tuner's worker processes, some that build ahead and one that times.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tessera/cancellation.hpp"
#include "tuning/clock.hpp"
#include "tuning/evaluator.hpp"
#include "tuning/journal.hpp"
#include "tuning/space.hpp"
#include "tuning/worker_process.hpp"

namespace tessera::inline v0::tuning {

struct PoolOptions {
  unsigned builders;   ///< processes that build ahead
  double build_limit;  ///< seconds
  CancelToken cancel;
  const Policy& policy;
  const Clock& clock;
};

class WorkerPool : public Evaluator {
 public:
  /// A worker that exceeds the limit of its step is killed. Only the pool writes the journal: a
  /// start before a process receives the job, and the trial when it has ended.
  WorkerPool(const DeviceInfo& device, const Problem& problem, const Space& space, Journal& journal,
             const PoolOptions& options);

  void enqueue(std::size_t configuration) override;
  std::size_t pending() const override { return pending_; }
  std::size_t queue_capacity() const override;
  std::optional<Evaluation> next(double best, double deadline) override;
  void drop() override;
  std::optional<double> time(std::size_t configuration, const Problem& problem,
                             double deadline) override;
  std::string check(std::size_t configuration, std::uint64_t seed) override;
  double now() const override { return options_.clock.now(); }
  double date() const override;

 private:
  struct Job {
    std::size_t configuration;
    double build = 0;         // seconds that it took
    bool is_request = false;  // from request_and_wait()
    bool is_timed = false;    // its trial has runs
    int failed_workers = 0;   // through no fault of the kernel
  };
  /// A process and what it is doing.
  struct Worker {
    std::unique_ptr<WorkerProcess> process;
    std::optional<Job> job;
    WorkerStep step = WorkerStep::starting;
    double began = 0;  // when the step began
  };

  bool builds(const Worker& worker) const { return &worker != &workers_.front(); }
  bool any_builder_busy() const;
  void start(Worker& worker);
  void give_work(Worker& worker, const Job& job, WorkerRequest request, const Json& arguments);
  void dispatch();
  void forgive(double late);
  void listen(double deadline);
  void read_messages(Worker& worker);
  void take(Worker& worker, const Json& message);
  void end(Worker& worker, Trial trial);
  void retire(Worker& worker, bool over_limit, const std::string& reason);
  double limit(const Worker& worker) const;
  double time_left(const Worker& worker) const;
  void end_if_over_limit(Worker& worker);
  void put_back(Job job, bool was_building, const std::string& failure);
  std::optional<Trial> request_and_wait(std::size_t configuration, WorkerRequest request,
                                        const Json& arguments, double deadline);

  DeviceInfo device_;
  Problem problem_;
  const Space& space_;
  Journal& journal_;
  PoolOptions options_;
  std::vector<Worker> workers_;  // the first one times
  std::deque<Job> to_build_, to_time_;
  std::deque<Evaluation> ended_;
  std::optional<Trial> answer_;  // to request_and_wait()
  std::size_t pending_ = 0;
  bool timing_ = false;  // on a CPU, which either builds or times
  double best_;
  double awake_ = std::numeric_limits<double>::infinity();  // when listen() last heard workers
};

}  // namespace tessera::inline v0::tuning
