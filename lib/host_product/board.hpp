// Board: the tiles of a product that are taken, done and given back, shared by all devices.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "host_product/schedule.hpp"

namespace tessera::inline v0::host_product {

/// Safe to use from several threads.
class Board {
 public:
  Board(const Partition& partition, std::size_t devices)
      : schedule_(partition, devices),
        tiles_(partition.tiles.size()),
        working_(devices),
        owner_(tiles_, kNobody),
        is_interrupted_(devices, false) {
    errors_.reserve(devices);
  }

  /// A tile for a device; empty if none is left, and after interrupt() or stop(). If it `waits`, a
  /// device may give one back before all are done.
  std::optional<std::size_t> take(std::size_t device, const Present& present, bool waits);
  /// A tile has been written to c.
  void done(std::size_t tile);
  /// A device ends with an error: others compute what it has taken and not done, unless they cannot
  /// because c was read and changed. Then the product ends.
  void fail(std::size_t device, std::exception_ptr error, bool others_can);
  /// A device takes nothing from now on.
  void interrupt(std::size_t device);
  /// No device does.
  void stop();

  /// Waits a moment for more than `seen` tiles to be done. Returns how many are.
  std::size_t wait(std::size_t seen);
  std::size_t done_tiles();
  /// Returns whether all tiles are done, or every device has ended.
  bool is_over();
  std::size_t tiles() const { return tiles_; }
  /// The devices that failed and their errors, in the order of time. Once all threads have ended.
  const std::vector<std::pair<std::size_t, std::exception_ptr>>& errors() const { return errors_; }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  bool has_ended() const { return done_ == tiles_ || working_ == 0 || stopped_; }

  std::mutex mutex_;
  std::condition_variable changed_;
  Schedule schedule_;
  std::size_t tiles_, working_, done_ = 0;
  bool stopped_ = false;
  std::vector<std::size_t> owner_;  // of each tile that is taken and not done
  std::vector<bool> is_interrupted_;
  std::vector<std::pair<std::size_t, std::exception_ptr>> errors_;
};

}  // namespace tessera::inline v0::host_product
