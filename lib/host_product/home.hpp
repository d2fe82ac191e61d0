// Home: brings finished tiles from a device to C, in a thread of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host_product/board.hpp"
#include "host_product/worker.hpp"

namespace tessera::inline v0::host_product {

/// The device's memory for tiles of C, and their way to the host. Tiles go straight to pinned
/// memory, and otherwise through pinned memory of its own, so that the host's tile is complete or
/// unchanged.
class Home {
 public:
  /// Allocates tiles on `out`. Throws MemoryError.
  Home(const Multiplication& product, std::size_t index, const Stream& out);
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home();

  void start(Board& board);
  /// Memory for a tile, as soon as there is some. If the product reads c, c's tile arrives there by
  /// `in`. Throws the thread's error.
  detail::Operand tile(const Tile& tile, const Stream& in);
  /// A tile whose products are enqueued.
  void send(std::size_t index, const detail::Operand& tile, std::vector<Event> products);
  /// Waits for all tiles. Throws the thread's error.
  void finish();
  /// Ends the thread after the tile that it brings.
  void abandon();
  /// Never frees the memory that a lost device may still write to.
  void keep_staging() noexcept;

  // These are final after finish() or abandon().
  std::size_t tiles() const { return tiles_; }
  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }

 private:
  struct Sent {
    std::size_t index;
    detail::Operand tile;
    std::vector<Event> products;
  };

  void run(Board& board);
  void bring(const Sent& sent);
  void store(const Tile& tile) const;
  void rethrow();

  const Multiplication* product_;
  std::size_t index_;
  bool is_direct_;
  ElementType type_;  // of tiles on the device
  std::vector<detail::Operand> free_;
  std::shared_ptr<void> staging_;
  std::size_t tiles_ = 0;
  std::uint64_t bytes_in_ = 0, bytes_out_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Sent> sent_;
  bool is_last_ = false, is_abandoned_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace tessera::inline v0::host_product
