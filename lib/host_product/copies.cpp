// Tiles on a device with memory of its own: panels arrive, tiles go home, while it computes.
#include <algorithm>
#include <utility>
#include <vector>

#include "host_product/home.hpp"
#include "host_product/panel_cache.hpp"
#include "host_product/slots.hpp"
#include "host_product/worker.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::host_product {
namespace {

using detail::Operand;

/// A dense operand in a slot that is at least as large.
Operand in_slot(const Operand& slot, std::size_t rows, std::size_t columns) {
  Operand operand = slot;
  operand.stored_rows = rows;
  operand.stored_columns = operand.leading_dimension = columns;
  return operand;
}

/// Copies a block of the caller's memory to an operand of its shape.
void copy_in(const Operand& to, const detail::HostOperand& from, std::size_t row,
             std::size_t column) {
  const detail::HostRows<const void> rows{from.stored(row, column), to.stored_rows,
                                          to.stored_columns, from.leading_dimension};
  if (from.pinned) {
    detail::upload_async(to, rows);
  } else {
    detail::upload(to, rows);
  }
}

/// The panels of A or of B on a device.
class Panels {
 public:
  /// Panels of `edge` rows of A, or `edge` columns of B.
  Panels(const Multiplication& product, bool is_a, const Stream& in, std::size_t slots)
      : host_(is_a ? product.a : product.b),
        in_(in),
        is_a_(is_a),
        edge_(is_a ? product.partition.tile_rows : product.partition.tile_columns),
        depth_(product.partition.depth),
        k_(product.extents.k),
        cache_(is_a ? product.partition.bands : product.partition.strips, product.partition.parts,
               slots) {
    while (slots_.size() < std::min(slots, kLeastPanels)) add_slot();
  }

  const std::vector<double>& present() const { return cache_.present(); }

  /// A panel, which is copied unless it is there.
  Operand panel(std::size_t band, std::size_t part, std::uint64_t& bytes) {
    if (cache_.used() == slots_.size() && cache_.slots() > slots_.size()) grow();
    const auto [slot, is_there] = cache_.place(band, part);
    const std::size_t from = band * edge_, deep = part * depth_;
    const std::size_t extent = is_a_ ? host_.rows : host_.columns;
    const std::size_t along = std::min(edge_, extent - from), depth = std::min(depth_, k_ - deep);
    // Transposed operands are stored the other way.
    const bool is_along_rows = is_a_ != is_transposed(host_.op);
    Operand operand =
        is_along_rows ? in_slot(slots_[slot], along, depth) : in_slot(slots_[slot], depth, along);
    if (!is_there) {
      try {
        copy_in(operand, host_, is_along_rows ? from : deep, is_along_rows ? deep : from);
      } catch (...) {
        cache_.forget(band, part);
        throw;
      }
      bytes += std::uint64_t{along} * depth * element_size(host_.type);
    }
    operand.op = host_.op;
    return operand;
  }

 private:
  void add_slot() { slots_.push_back(detail::allocate(in_, host_.type, edge_, depth_)); }
  /// Without memory for a further slot, the cache makes do with those it has.
  void grow() {
    try {
      add_slot();
    } catch (const Error& error) {
      if (!is_short_of_memory(error)) throw;
      cache_.limit();
    }
  }

  const detail::HostOperand& host_;
  Stream in_;
  bool is_a_;
  std::size_t edge_, depth_, k_;
  PanelCache cache_;
  std::vector<Operand> slots_;
};

/// Returns `bytes`, or the usable part of the device's free memory if that is less.
std::uint64_t room(const Extents& extents, const Engine& engine, std::uint64_t bytes) {
  const MemoryUse use = engine.memory();
  const std::uint64_t left = use.capacity - std::min(use.capacity, use.live);
  return std::min(bytes, usable_part(extents, left));
}

class CopyingWorker : public Worker {
 public:
  CopyingWorker(const Multiplication& product, std::size_t index, std::uint64_t bytes,
                HostProductDevice& report)
      : product_(&product),
        index_(index),
        report_(&report),
        in_(report.engine.new_stream()),
        out_(report.engine.new_stream()),
        slots_(
            slots(product.extents, product.partition, room(product.extents, report.engine, bytes))),
        a_(product, true, in_, slots_.a),
        b_(product, false, in_, slots_.b),
        home_(product, index, out_) {
    while (compute_.size() < streams(product.extents))
      compute_.push_back(report.engine.new_stream());
  }

  void run(Board& board) override {
    try {
      home_.start(board);
      while (const auto next = board.take(index_, {a_.present(), b_.present()}, true))
        compute(*next);
      home_.finish();
    } catch (...) {
      end(board, std::current_exception());
    }
    report_->tiles = home_.tiles();
    report_->bytes_in += home_.bytes_in();
    report_->bytes_out = home_.bytes_out();
  }

 private:
  void compute(std::size_t index) {
    const Stream& stream = compute_[computed_++ % compute_.size()];
    const auto& [extents, a, b, c, alpha, beta, partition] = *product_;
    const Tile& tile = partition.tiles[index];
    const Operand c_tile = home_.tile(tile, in_);
    std::vector<Event> products;
    for (std::size_t part = 0; part < partition.parts; part++) {
      const Operand bands = a_.panel(tile.band, part, report_->bytes_in),
                    strips = b_.panel(tile.strip, part, report_->bytes_in);
      const std::size_t depth = bands.columns();
      products.push_back(
          detail::multiply_into(
              c_tile,
              detail::block(bands, tile.row - tile.band * partition.tile_rows, 0, tile.rows, depth),
              detail::block(strips, 0, tile.column - tile.strip * partition.tile_columns, depth,
                            tile.columns),
              {.alpha = alpha,
               .beta = part == 0 ? beta : Scalar(1),
               .accuracy = extents.accuracy,
               .stream = stream})
              .finished);
    }
    home_.send(index, c_tile, std::move(products));
  }

  /// After an error: waits until nothing uses the caller's memory; then others compute the tiles.
  void end(Board& board, const std::exception_ptr& error) {
    home_.abandon();
    for (const Stream& stream : compute_) wait_for(stream);
    wait_for(in_);
    wait_for(out_);
    board.fail(index_, error, true);
  }

  void wait_for(const Stream& stream) {
    try {
      if (runtime::stream_of(stream).commands().has_ended()) return;
    } catch (...) {  // memory is short
    }
    home_.keep_staging();
  }

  const Multiplication* product_;
  std::size_t index_, computed_ = 0;
  HostProductDevice* report_;
  Stream in_, out_;
  std::vector<Stream> compute_;  ///< tiles take them in turn
  Slots slots_;
  Panels a_, b_;
  Home home_;
};

}  // namespace

std::unique_ptr<Worker> work_on_copies(const Multiplication& product, std::size_t index,
                                       std::uint64_t bytes, HostProductDevice& report) {
  return std::make_unique<CopyingWorker>(product, index, bytes, report);
}

}  // namespace tessera::inline v0::host_product
