// The loop over worker processes: hand out work, hear what comes, end what takes too long.
#include "tuning/crew.hpp"

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

Crew::Crew(const DeviceInfo& device, const TuneProblem& problem, const Space& space,
           unsigned builders, double build_limit, std::stop_token stop,
           std::function<void(const KernelChoice&)> started)
    : device_(device),
      problem_(problem),
      space_(space),
      build_limit_(build_limit),
      stop_(std::move(stop)),
      started_(std::move(started)),
      hands_(1 + builders) {}

double Crew::now() const { return std::chrono::duration<double>(Clock::now() - opened_).count(); }

double Crew::date() const {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::size_t Crew::appetite() const { return std::max<std::size_t>(1, 2 * (hands_.size() - 1)); }

void Crew::enqueue(std::size_t configuration) {
  auto& queue = hands_.size() > 1 ? to_build_ : to_time_;
  queue.push_back({configuration});
  pending_++;
}

bool Crew::any_builder_busy() const {
  return std::any_of(hands_.begin() + 1, hands_.end(),
                     [](const Hand& hand) { return hand.job.has_value(); });
}

/// Long enough for any kernel that could still be of use; for the first ones as long as a build.
double Crew::run_limit() const { return best_ < kNever ? std::max(2.0, 20 * best_) : build_limit_; }

void Crew::hire(Hand& hand) {
  hand = Hand{};
  hand.process = std::make_unique<WorkerProcess>(device_, problem_);
  hand.limit = now() + std::max(10.0, build_limit_);
}

void Crew::give_work(Hand& hand, const Job& job, const Json& request) {
  if (!hand.process) hire(hand);
  hand.job = job;
  hand.stage = "building";
  // Its first task waits for the device to be open.
  hand.limit = std::max(hand.ready ? 0 : hand.limit, now() + build_limit_);
  hand.process->send(request);
}

/// A CPU builds while it does not time, and the other way round; other devices do both.
void Crew::dispatch() {
  const bool exclusive = device_.type == DeviceType::cpu && hands_.size() > 1;
  Hand& timer = hands_.front();
  if (exclusive) {
    if (timing_ && to_time_.empty() && !timer.job) timing_ = false;
    if (!timing_ && to_build_.empty() && !any_builder_busy()) timing_ = true;
  }
  if (!exclusive || !timing_) {
    for (Hand& hand : hands_) {
      if (!builds(hand) || hand.job || to_build_.empty()) continue;
      const Job job = to_build_.front();
      to_build_.pop_front();
      started_(space_[job.configuration]);
      give_work(hand, job, {{"do", "build"}, {"kernel", json_of(space_[job.configuration])}});
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

void Crew::end(Hand& hand, Attempt attempt) {
  const Job job = *hand.job;
  hand.job.reset();
  if (job.asked) {
    answer_ = std::move(attempt);
    return;
  }
  if (builds(hand) && attempt.outcome == Outcome::ok) {
    to_time_.push_back({job.configuration, attempt.build});
    return;
  }
  attempt.kernel = space_[job.configuration];
  attempt.build += job.build;
  attempt.ended = date();
  pending_--;
  ended_.push_back({job.configuration, std::move(attempt)});
}

/// The process is gone, or has to go; with it what it was doing.
void Crew::bury(Hand& hand, Outcome outcome, const std::string& reason) {
  const std::string how = hand.process->end();
  const bool was_ready = hand.ready;
  auto job = hand.job;
  hand = Hand{};
  if (!was_ready && ++failed_starts_ >= kMostStarts)
    throw Error(fmt::format("tune: a worker does not start: {}", reason.empty() ? how : reason));
  if (!job) return;
  hand.job = job;
  end(hand, {.kernel = {},
             .outcome = outcome,
             .reason = reason.empty() ? how : reason,
             .build = outcome == Outcome::build_timeout ? build_limit_ : 0});
}

void Crew::take(Hand& hand, const Json& message) {
  if (message.contains("ready")) {
    hand.ready = true;
    failed_starts_ = 0;
    hand.limit = now() + build_limit_;
  } else if (message.contains("stage")) {
    hand.stage = message["stage"];
    // The first launch on a CPU may compile.
    const bool compiles = builds(hand) || (hand.stage != "running" && hand.stage != "timing");
    hand.limit = now() + (compiles ? build_limit_ : run_limit());
  } else if (message.contains("attempt")) {
    end(hand, attempt_of(message["attempt"]));
  } else if (message.contains("error")) {
    bury(hand, Outcome::crashed, message["error"]);
  }
}

void Crew::hear(Hand& hand) {
  const bool open = hand.process->read();
  while (hand.process) {
    const auto message = hand.process->receive();
    if (!message) break;
    try {
      take(hand, *message);
    } catch (const Json::exception& error) {
      bury(hand, Outcome::crashed, fmt::format("unreadable answer: {}", error.what()));
    }
  }
  if (!open && hand.process) bury(hand, Outcome::crashed, "");
}

/// Waits for messages, until the deadline or a tick; ends what is over its limit.
void Crew::listen(double deadline) {
  std::vector<pollfd> files;
  double until = std::min(deadline, now() + kTick);
  for (const Hand& hand : hands_) {
    files.push_back({hand.process ? hand.process->file() : -1, POLLIN, 0});
    if (hand.process && hand.job) until = std::min(until, hand.limit);
  }
  const double wait = std::ceil(std::max(0.0, until - now()) * 1000);
  ::poll(files.data(), files.size(), static_cast<int>(wait));
  for (std::size_t i = 0; i < hands_.size(); i++) {
    Hand& hand = hands_[i];
    if ((files[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && hand.process) hear(hand);
    if (!hand.process || !hand.job || now() < hand.limit) continue;
    const bool building = hand.stage == "building";
    bury(hand, building ? Outcome::build_timeout : Outcome::run_timeout,
         building ? fmt::format("stopped after {:.0f} s of building", build_limit_)
                  : fmt::format("stopped after {:.1f} s of {}",
                                builds(hand) ? build_limit_ : run_limit(), hand.stage));
  }
}

std::optional<Trying> Crew::next(double best, double deadline) {
  best_ = best;
  while (ended_.empty()) {
    if (now() >= deadline || stop_.stop_requested() || pending_ == 0) return std::nullopt;
    dispatch();
    listen(deadline);
  }
  Trying trying = std::move(ended_.front());
  ended_.pop_front();
  return trying;
}

void Crew::drop() {
  to_build_.clear();
  to_time_.clear();
  ended_.clear();
  pending_ = 0;
  for (Hand& hand : hands_) {
    if (hand.job) hand = Hand{};
  }
}

/// One request to the process that times, once it is free; what is enqueued stays so.
std::optional<Attempt> Crew::ask(std::size_t configuration, const Json& request, double deadline) {
  Hand& timer = hands_.front();
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

std::optional<double> Crew::time(std::size_t configuration, const TuneProblem& problem,
                                 double deadline) {
  const auto attempt = ask(
      configuration,
      {{"do", "time"}, {"kernel", json_of(space_[configuration])}, {"problem", json_of(problem)}},
      deadline);
  if (!attempt || attempt->outcome != Outcome::ok) return std::nullopt;
  return attempt->seconds();
}

std::string Crew::check(std::size_t configuration) {
  constexpr double kTime = 15;
  const auto attempt = ask(configuration,
                           {{"do", "check"},
                            {"kernel", json_of(space_[configuration])},
                            {"seed", static_cast<std::uint64_t>(date())}},
                           now() + kTime);
  if (!attempt) return "the check did not end";
  return attempt->outcome == Outcome::ok
             ? ""
             : fmt::format("{}: {}", name(attempt->outcome), attempt->reason);
}

}  // namespace tessera::inline v0::tuning
