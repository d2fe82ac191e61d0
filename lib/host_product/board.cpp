// Handing out tiles, and waiting for them.
#include "host_product/board.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tessera::inline v0::host_product {

std::optional<std::size_t> Board::take(std::size_t device, const Present& present, bool waits) {
  std::unique_lock lock(mutex_);
  std::optional<std::size_t> tile;
  changed_.wait(lock, [&] {
    const bool ends = has_ended() || is_interrupted_[device];
    if (!ends) tile = schedule_.take(device, present);
    return tile || ends || !waits;
  });
  if (tile) owner_[*tile] = device;
  return tile;
}

void Board::done(std::size_t tile) {
  const std::lock_guard lock(mutex_);
  owner_[tile] = kNobody;
  done_++;
  changed_.notify_all();
}

void Board::fail(std::size_t device, std::exception_ptr error, bool others_can) {
  const std::lock_guard lock(mutex_);
  for (std::size_t tile = 0; tile < tiles_; tile++) {
    if (owner_[tile] == device) schedule_.give_back(tile);
  }
  std::ranges::replace(owner_, device, kNobody);
  if (!others_can) stopped_ = true;
  errors_.emplace_back(device, std::move(error));
  working_--;
  changed_.notify_all();
}

void Board::interrupt(std::size_t device) {
  const std::lock_guard lock(mutex_);
  is_interrupted_[device] = true;
  changed_.notify_all();
}

void Board::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::size_t Board::wait(std::size_t seen) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(50),
                    [&] { return done_ > seen || has_ended(); });
  return done_;
}

std::size_t Board::done_tiles() {
  const std::lock_guard lock(mutex_);
  return done_;
}

bool Board::is_over() {
  const std::lock_guard lock(mutex_);
  return has_ended();
}

}  // namespace tessera::inline v0::host_product
