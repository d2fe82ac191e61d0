// Tiles on a device that computes on the caller's memory.
#include <deque>
#include <optional>
#include <utility>

#include "host_product/worker.hpp"
#include "runtime/in_place.hpp"
#include "runtime/stream.hpp"
#include "tessera/detail/access.hpp"

namespace tessera::inline v0::host_product {
namespace {

/// The caller's matrix as an operand; empty if the device cannot use it in place.
std::optional<detail::Operand> operand_of(const Stream& stream, const detail::HostOperand& host,
                                          bool read_only) {
  const std::size_t rows = host.stored_rows(), columns = host.stored_columns(),
                    size = element_size(host.type);
  if (rows == 0 || columns == 0) {
    auto empty = detail::allocate(stream, host.type, rows, columns);
    empty.op = host.op;
    return empty;
  }
  const std::size_t bytes = ((rows - 1) * host.leading_dimension + columns) * size;
  auto made = runtime::in_place(runtime::stream_of(stream).context(), host.data, bytes, read_only);
  if (!made || made->offset % size != 0) return std::nullopt;
  return detail::Operand{std::move(made->memory),
                         detail::Access::state(stream),
                         made->offset / size,
                         rows,
                         columns,
                         host.leading_dimension,
                         host.type,
                         host.op};
}

class InPlaceWorker : public Worker {
 public:
  InPlaceWorker(const Multiplication& product, std::size_t index, HostProductDevice& report,
                detail::Operand a, detail::Operand b, detail::Operand c)
      : product_(&product),
        index_(index),
        report_(&report),
        a_(std::move(a)),
        b_(std::move(b)),
        c_(std::move(c)) {}

  void run(Board& board) override {
    const Partition& partition = product_->partition;
    const Present all{std::vector<double>(partition.bands, 1),
                      std::vector<double>(partition.strips, 1)};
    try {
      // One tile computes while the next one is enqueued.
      for (;;) {
        const auto next = board.take(index_, all, running_.empty());
        if (next) {
          is_enqueueing_ = true;  // until all commands of the tile are enqueued
          Event finished = compute(partition.tiles[*next]);
          is_enqueueing_ = false;
          running_.emplace_back(*next, std::move(finished));
        }
        if (running_.empty()) return;
        if (!next || running_.size() > 1) finish_first(board);
      }
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      const bool is_whole = end_commands(board);
      board.fail(index_, error, is_whole || product_->beta == Scalar(0));
    }
  }

 private:
  Event compute(const Tile& tile) const {
    const auto& [extents, a, b, c, alpha, beta, partition] = *product_;
    return detail::multiply_into(detail::block(c_, tile.row, tile.column, tile.rows, tile.columns),
                                 detail::block(a_, tile.row, 0, tile.rows, extents.k),
                                 detail::block(b_, 0, tile.column, extents.k, tile.columns),
                                 {.alpha = alpha, .beta = beta, .accuracy = extents.accuracy})
        .finished;
  }
  void finish_first(Board& board) {
    const auto [tile, finished] = running_.front();
    finished.wait();
    running_.pop_front();
    report_->tiles++;
    board.done(tile);
  }
  /// After an error: ends all commands. Returns whether no tile of c is left half computed.
  bool end_commands(Board& board) {
    bool is_whole = true;
    while (!running_.empty()) {
      try {
        finish_first(board);
      } catch (...) {
        is_whole = false;
        running_.pop_front();
      }
    }
    try {
      detail::stream_of(c_).finish();
    } catch (...) {
      return false;  // the tile that was being enqueued may be half computed
    }
    return is_whole && !is_enqueueing_;
  }

  const Multiplication* product_;
  std::size_t index_;
  HostProductDevice* report_;
  detail::Operand a_, b_, c_;
  std::deque<std::pair<std::size_t, Event>> running_;
  bool is_enqueueing_ = false;
};

}  // namespace

std::unique_ptr<Worker> work_in_place(const Multiplication& product, std::size_t index,
                                      HostProductDevice& report) {
  const Stream stream = report.engine.new_stream();
  auto a = operand_of(stream, product.a, true), b = operand_of(stream, product.b, true),
       c = operand_of(stream, product.c, false);
  if (!a || !b || !c) return nullptr;
  report.in_place = true;
  return std::make_unique<InPlaceWorker>(product, index, report, std::move(*a), std::move(*b),
                                         std::move(*c));
}

}  // namespace tessera::inline v0::host_product
