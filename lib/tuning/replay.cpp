// replay: the session of a tuner with recorded attempts in place of a device.
#include <limits>
#include <map>
#include <utility>

#include "tessera/error.hpp"
#include "tessera/tune.hpp"
#include "tuning/session.hpp"

namespace tessera::inline v0 {
namespace {

/// Looks attempts up, and lets as much time pass as they took.
class Recording : public tuning::Laboratory {
 public:
  Recording(const tuning::Space& space, const std::vector<Attempt>& recorded)
      : attempts_(space.size(), nullptr), began_(recorded.front().ended) {
    for (const Attempt& attempt : recorded) {
      if (const auto place = space.find(attempt.kernel)) attempts_[*place] = &attempt;
    }
  }

  void enqueue(std::size_t configuration) override { waiting_.push_back(configuration); }
  std::size_t pending() const override { return waiting_.size() - next_; }
  std::size_t appetite() const override { return 1; }
  std::optional<tuning::Trying> next(double, double deadline) override {
    if (pending() == 0 || now_ >= deadline) return std::nullopt;
    const std::size_t configuration = waiting_[next_++];
    Attempt attempt = *attempts_[configuration];
    now_ += attempt.build + attempt.check + attempt.timing;
    attempt.ended = date();
    return tuning::Trying{configuration, std::move(attempt)};
  }
  void drop() override { next_ = waiting_.size(); }
  std::optional<double> time(std::size_t configuration, const TuneProblem&,
                             double deadline) override {
    if (now_ >= deadline) return std::nullopt;
    const double seconds = attempts_[configuration]->seconds();
    now_ += seconds;
    return seconds;
  }
  std::string check(std::size_t) override { return {}; }
  double now() const override { return now_; }
  double date() const override { return began_ + now_; }

 private:
  std::vector<const Attempt*> attempts_;
  std::vector<std::size_t> waiting_;
  std::size_t next_ = 0;
  double now_ = 0, began_;
};

}  // namespace

TuneResult replay(const TuneProblem& problem, const DeviceInfo& device,
                  const std::vector<Attempt>& recorded, const TuneOptions& options) {
  if (recorded.empty()) throw Error("replay: no attempts were recorded");
  std::vector<KernelChoice> all;
  for (const Attempt& attempt : recorded) all.push_back(attempt.kernel);
  const tuning::Space space(std::move(all));
  Recording recording(space, recorded);
  const std::size_t standard = *space.find(recorded.front().kernel);
  TuneResult result = tuning::run({.space = space,
                                   .laboratory = recording,
                                   .options = options,
                                   .default_configuration = standard,
                                   .first = {standard}},
                                  problem, device);
  if (result.conclusion.empty()) result.conclusion = "a replay: nothing is saved";
  return result;
}

}  // namespace tessera::inline v0
