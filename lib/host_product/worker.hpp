// Worker: computes tiles of a product of host memory on one device.
#pragma once

#include <cstddef>
#include <memory>

#include "host_product/board.hpp"
#include "host_product/partition.hpp"
#include "tessera/error.hpp"
#include "tessera/host_product.hpp"

namespace tessera::inline v0::host_product {

/// A product of host memory, with its tiles.
struct Multiplication {
  Extents extents;
  detail::HostOperand a, b, c;
  Scalar alpha, beta;
  Partition partition;
};

/// Returns whether less memory may do after this error.
inline bool is_short_of_memory(const Error& error) {
  return error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::out_of_host_memory;
}

class Worker {
 public:
  virtual ~Worker() = default;
  /// Computes tiles from the board until none is left; errors go to the board. In a thread of its
  /// own. When it returns, no command of the device uses the caller's memory, unless the device is
  /// lost.
  virtual void run(Board& board) = 0;
};

/// A worker that uses the matrices in place; null if its device cannot.
std::unique_ptr<Worker> work_in_place(const Multiplication& product, std::size_t index,
                                      HostProductDevice& report);
/// A worker that copies panels to the device and tiles back, in at most `bytes` of its memory.
/// Throws MemoryError if the fewest panels and tiles of the partition do not fit.
std::unique_ptr<Worker> work_on_copies(const Multiplication& product, std::size_t index,
                                       std::uint64_t bytes, HostProductDevice& report);

}  // namespace tessera::inline v0::host_product
