// replay: a tuning session with recorded trials in place of a device.
#include <limits>
#include <map>
#include <utility>

#include "tessera/error.hpp"
#include "tessera/tune.hpp"
#include "tuning/session.hpp"

namespace tessera::inline v0 {
namespace {

/// Looks trials up, and advances the clock by the time that they took.
class Recording : public tuning::Evaluator {
 public:
  Recording(const tuning::Space& space, const std::vector<Trial>& recorded)
      : trials_(space.size(), nullptr), began_(recorded.front().ended) {
    for (const Trial& trial : recorded) {
      if (const auto place = space.find(trial.kernel)) trials_[*place] = &trial;
    }
  }

  void enqueue(std::size_t configuration) override { waiting_.push_back(configuration); }
  std::size_t pending() const override { return waiting_.size() - next_; }
  std::size_t queue_capacity() const override { return 1; }
  std::optional<tuning::Evaluation> next(double, double deadline) override {
    if (pending() == 0 || now_ >= deadline) return std::nullopt;
    const std::size_t configuration = waiting_[next_++];
    Trial trial = *trials_[configuration];
    now_ += trial.build + trial.check + trial.timing;
    trial.ended = date();
    return tuning::Evaluation{configuration, std::move(trial)};
  }
  void drop() override { next_ = waiting_.size(); }
  std::optional<double> time(std::size_t configuration, const Problem&, double deadline) override {
    if (now_ >= deadline) return std::nullopt;
    const double seconds = trials_[configuration]->seconds();
    now_ += seconds;
    return seconds;
  }
  std::string check(std::size_t, std::uint64_t) override { return {}; }
  double now() const override { return now_; }
  double date() const override { return began_ + now_; }

 private:
  std::vector<const Trial*> trials_;
  std::vector<std::size_t> waiting_;
  std::size_t next_ = 0;
  double now_ = 0, began_;
};

}  // namespace

TuneResult replay(const Problem& problem, const DeviceInfo& device,
                  const std::vector<Trial>& recorded, const TuneOptions& options,
                  const KernelChoice& default_kernel) {
  if (recorded.empty())
    throw ArgumentError(ErrorCode::invalid_value, "replay: no trials were recorded");
  std::vector<KernelChoice> all;
  for (const Trial& trial : recorded) all.push_back(trial.kernel);
  const tuning::Space space(std::move(all));
  Recording recording(space, recorded);
  // The first trial to finish need not be the default's: several processes build at a time.
  const auto standard =
      space.find(default_kernel == KernelChoice{} ? recorded.front().kernel : default_kernel);
  if (!standard)
    throw ArgumentError(ErrorCode::invalid_value,
                        "replay: the default is not among what was recorded");
  TuneResult result = tuning::run({.space = space,
                                   .evaluator = recording,
                                   .options = options,
                                   .default_configuration = *standard,
                                   .first = {*standard},
                                   .policy = tuning::kPolicy},
                                  problem, device);
  if (result.conclusion.empty()) result.conclusion = "a replay: nothing is saved";
  return result;
}

}  // namespace tessera::inline v0
