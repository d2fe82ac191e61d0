// Finding and replacing panels.
#include "host_product/panel_cache.hpp"

#include <algorithm>

namespace tessera::inline v0::host_product {

PanelCache::Place PanelCache::place(std::size_t band, std::size_t part) {
  const std::size_t panel = band * parts_ + part;
  std::size_t& slot = slot_of_[panel];
  clock_++;
  if (slot != kNone) {
    used_[slot].time = clock_;
    return {slot, true};
  }
  const double share = 1.0 / static_cast<double>(parts_);
  if (used_.size() < slots_) {
    slot = used_.size();
    used_.push_back({panel, clock_});
  } else {
    const auto oldest = std::ranges::min_element(used_, {}, &Use::time);
    if (oldest->panel != kNone) {
      slot_of_[oldest->panel] = kNone;
      present_[oldest->panel / parts_] -= share;
    }
    slot = static_cast<std::size_t>(oldest - used_.begin());
    *oldest = {panel, clock_};
  }
  present_[band] += share;
  return {slot, false};
}

void PanelCache::forget(std::size_t band, std::size_t part) {
  std::size_t& slot = slot_of_[band * parts_ + part];
  used_[slot] = {kNone, 0};
  slot = kNone;
  present_[band] -= 1.0 / static_cast<double>(parts_);
}

}  // namespace tessera::inline v0::host_product
