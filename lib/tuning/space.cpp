// Maps names and values to variants and ranks.
#include "tuning/space.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace tessera::inline v0::tuning {
namespace {

bool before(const KernelChoice& a, const KernelChoice& b) {
  return std::tie(a.variant, a.parameters) < std::tie(b.variant, b.parameters);
}

}  // namespace

Space::Space(std::vector<KernelChoice> configurations)
    : configurations_(std::move(configurations)) {
  std::ranges::sort(configurations_, before);
  configurations_.erase(std::unique(configurations_.begin(), configurations_.end()),
                        configurations_.end());
  std::map<std::string, std::map<std::string, std::set<int>>> values;
  for (const auto& [variant, parameters] : configurations_) {
    auto& of_variant = values[variant];
    for (const auto& [name, value] : parameters) of_variant[name].insert(value);
    dimensions_ = std::max(dimensions_, parameters.size());
  }
  ranks_.resize(size() * dimensions_);
  auto rank = ranks_.begin();
  for (const auto& [variant, parameters] : configurations_) {
    const auto of_variant = values.find(variant);
    variants_.push_back(static_cast<std::size_t>(std::distance(values.begin(), of_variant)));
    auto next = rank;
    for (const auto& [name, value] : parameters) {
      const auto& known = of_variant->second[name];
      *next++ = static_cast<std::uint8_t>(std::distance(known.begin(), known.find(value)));
    }
    rank += static_cast<std::ptrdiff_t>(dimensions_);
  }
}

std::optional<std::size_t> Space::find(const KernelChoice& kernel) const {
  const auto place = std::ranges::lower_bound(configurations_, kernel, before);
  if (place == configurations_.end() || *place != kernel) return std::nullopt;
  return static_cast<std::size_t>(place - configurations_.begin());
}

std::optional<std::size_t> Space::differences(std::size_t a, std::size_t b) const {
  if (variants_[a] != variants_[b]) return std::nullopt;
  const auto left = ranks(a), right = ranks(b);
  std::size_t count = 0;
  for (std::size_t d = 0; d < dimensions_; d++) count += left[d] != right[d] ? 1 : 0;
  return count;
}

}  // namespace tessera::inline v0::tuning
