// Tiles on their way between a device and the host.
#include "host_product/home.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "tessera/bfloat16.hpp"
#include "tessera/half.hpp"
#include "tessera/host_matrix.hpp"

namespace tessera::inline v0::host_product {
namespace {

/// Rounds a row of sums to elements of 16 bits, or widens it from them.
template <class To, class From>
void convert(std::byte* to, const std::byte* from, std::size_t count) {
  auto* const results = reinterpret_cast<To*>(to);
  const auto* const numbers = reinterpret_cast<const From*>(from);
  for (std::size_t i = 0; i < count; i++) results[i] = To(float(numbers[i]));
}

void convert_row(ElementType to, std::byte* target, ElementType from, const std::byte* source,
                 std::size_t count) {
  if (to == from) {
    std::memcpy(target, source, count * element_size(to));
  } else if (to == ElementType::float16) {
    convert<half, float>(target, source, count);
  } else if (to == ElementType::bfloat16) {
    convert<bfloat16, float>(target, source, count);
  } else if (from == ElementType::float16) {
    convert<float, half>(target, source, count);
  } else {
    convert<float, bfloat16>(target, source, count);
  }
}

}  // namespace

Home::Home(const Multiplication& product, std::size_t index, const Stream& out)
    : product_(&product),
      index_(index),
      type_(tile_type(product.extents.types, product.partition.parts)) {
  const Partition& partition = product.partition;
  // A device that is lost may write late. What it writes is right unless c was read before.
  is_direct_ = product.c.pinned && type_ == product.c.type && product.beta == Scalar(0);
  const std::size_t tiles = std::min(partition.tiles.size(), kTiles);
  while (free_.size() < tiles)
    free_.push_back(detail::allocate(out, type_, partition.tile_rows, partition.tile_columns));
  if (!is_direct_)
    staging_ = detail::pinned_memory(out, type_, partition.tile_rows, partition.tile_columns);
}

Home::~Home() { abandon(); }

void Home::start(Board& board) {
  thread_ = std::thread([this, &board] { run(board); });
}

void Home::rethrow() {
  if (error_) std::rethrow_exception(error_);
}

detail::Operand Home::tile(const Tile& tile, const Stream& in) {
  detail::Operand operand;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !free_.empty() || error_; });
    rethrow();
    operand = std::move(free_.back());
    free_.pop_back();
  }
  operand.stored_rows = tile.rows;
  operand.stored_columns = operand.leading_dimension = tile.columns;
  if (product_->beta == Scalar(0)) return operand;
  // The stream `in` does not wait for tiles on their way to the host.
  detail::Operand arriving = operand;
  arriving.stream = detail::Access::state(in);
  const detail::HostOperand& c = product_->c;
  bytes_in_ += tile.rows * tile.columns * element_size(c.type);
  if (type_ == c.type) {
    detail::upload(arriving,
                   {c.stored(tile.row, tile.column), tile.rows, tile.columns, c.leading_dimension});
    return operand;
  }
  std::vector<float> wide(tile.rows * tile.columns);
  for (std::size_t i = 0; i < tile.rows; i++)
    convert_row(type_, reinterpret_cast<std::byte*>(wide.data() + i * tile.columns), c.type,
                c.stored(tile.row + i, tile.column), tile.columns);
  detail::upload(arriving, detail::rows_for(arriving, std::as_const(wide).data()));
  return operand;
}

void Home::send(std::size_t index, const detail::Operand& tile, std::vector<Event> products) {
  const std::lock_guard lock(mutex_);
  sent_.push_back({index, tile, std::move(products)});
  changed_.notify_all();
}

void Home::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_last_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  rethrow();
}

void Home::keep_staging() noexcept {
  if (staging_) static_cast<void>(new (std::nothrow) std::shared_ptr<void>(staging_));
}

void Home::abandon() {
  {
    const std::lock_guard lock(mutex_);
    is_abandoned_ = is_last_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Home::run(Board& board) {
  for (;;) {
    Sent sent;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !sent_.empty() || is_last_; });
      if (sent_.empty() || is_abandoned_) return;
      sent = std::move(sent_.front());
      sent_.pop_front();
    }
    std::exception_ptr error;
    try {
      bring(sent);
      board.done(sent.index);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(sent.tile));
    error_ = error;
    changed_.notify_all();
    if (!error) continue;
    board.interrupt(index_);  // the worker may wait there
    return;
  }
}

void Home::bring(const Sent& sent) {
  const Tile& tile = product_->partition.tiles[sent.index];
  const detail::HostOperand& c = product_->c;
  // A runtime may continue after a failed command, and report it to another thread.
  for (const Event& product : sent.products) product.wait();
  if (is_direct_) {
    detail::to_host_async(
        sent.tile, {c.stored(tile.row, tile.column), tile.rows, tile.columns, c.leading_dimension})
        .wait();
  } else {
    detail::to_host_async(sent.tile, detail::rows_for(sent.tile, staging_.get())).wait();
    store(tile);
  }
  tiles_++;
  bytes_out_ += tile.rows * tile.columns * element_size(type_);
}

void Home::store(const Tile& tile) const {
  const detail::HostOperand& c = product_->c;
  const auto* const from = static_cast<const std::byte*>(staging_.get());
  const auto copy_rows = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i++) {
      convert_row(c.type, c.stored(tile.row + i, tile.column), type_,
                  from + i * tile.columns * element_size(type_), tile.columns);
    }
  };
  // One thread copies slower than a GPU computes.
  constexpr std::size_t kThreads = 4, kSmall = std::size_t{1} << 20;
  const std::size_t threads = tile.rows * tile.columns < kSmall ? 1 : kThreads;
  std::vector<std::jthread> others;
  others.reserve(threads);
  std::size_t last = tile.rows;  // this thread copies the rows before it
  try {
    for (std::size_t t = threads; --t > 0;) {
      const std::size_t first = tile.rows * t / threads;
      others.emplace_back(copy_rows, first, last);
      last = first;
    }
  } catch (const std::system_error&) {  // no further thread
  }
  copy_rows(0, last);
}

}  // namespace tessera::inline v0::host_product
