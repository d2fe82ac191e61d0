// Panel cache: which panels of an operand are in which slots of a device's memory.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::inline v0::host_product {

/// A panel is a part of a band of A, or of a strip of B. The least recently used one makes room.
/// Not safe to use from several threads.
class PanelCache {
 public:
  PanelCache(std::size_t bands, std::size_t parts, std::size_t slots)
      : parts_(parts), slots_(slots), slot_of_(bands * parts, kNone), present_(bands, 0) {}

  struct Place {
    std::size_t slot;
    bool is_there;  ///< else the panel has to be copied to the slot
  };
  /// The slot of a panel, which becomes the most recently used one.
  Place place(std::size_t band, std::size_t part);

  /// For each band, the share of its parts that is in slots.
  const std::vector<double>& present() const { return present_; }
  std::size_t slots() const { return slots_; }
  /// Allows no more slots than are used now.
  void limit() { slots_ = used_.size(); }
  /// Slots that hold or held a panel.
  std::size_t used() const { return used_.size(); }
  /// Forgets a panel that did not arrive.
  void forget(std::size_t band, std::size_t part);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Use {
    std::size_t panel;
    std::size_t time;
  };

  std::size_t parts_, slots_, clock_ = 0;
  std::vector<std::size_t> slot_of_;  // of each panel
  std::vector<Use> used_;             // of each slot
  std::vector<double> present_;
};

}  // namespace tessera::inline v0::host_product
