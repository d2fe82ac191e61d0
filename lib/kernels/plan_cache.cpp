// Looking plans up, and remembering them.
#include "kernels/plan_cache.hpp"

#include <utility>

namespace tessera::inline v0::kernels {
namespace {

PlanCache::KeyView view_of(const PlanCache::Key& key) {
  return std::apply([](const auto&... parts) { return PlanCache::KeyView(parts...); }, key);
}

}  // namespace

bool PlanCache::Before::operator()(const Key& a, const KeyView& b) const { return view_of(a) < b; }
bool PlanCache::Before::operator()(const KeyView& a, const Key& b) const { return a < view_of(b); }

std::shared_ptr<const Plan> PlanCache::made(const KeyView& key) {
  const std::lock_guard lock(mutex_);
  const auto known = made_.find(key);
  return known != made_.end() ? known->second : nullptr;
}

std::shared_ptr<const Plan> PlanCache::remember(const KeyView& key,
                                                std::shared_ptr<const Plan> plan) {
  const std::lock_guard lock(mutex_);
  return made_.try_emplace(std::make_from_tuple<Key>(key), std::move(plan)).first->second;
}

std::shared_ptr<const Plan> PlanCache::chosen(const Choosing& key, std::uint64_t profile_version) {
  const std::lock_guard lock(mutex_);
  const auto known = chosen_.find(key);
  const bool current = known != chosen_.end() && known->second.profile_version == profile_version;
  return current ? known->second.plan : nullptr;
}

void PlanCache::choose(const Choosing& key, std::uint64_t profile_version,
                       std::shared_ptr<const Plan> plan) {
  constexpr std::size_t kMax = 4096;  // beyond it the cache is cleared
  const std::lock_guard lock(mutex_);
  if (chosen_.size() >= kMax) chosen_.clear();
  chosen_.insert_or_assign(key, Chosen{profile_version, std::move(plan)});
}

}  // namespace tessera::inline v0::kernels
