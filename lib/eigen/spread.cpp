// Compares shapes and options of all ranks, and counts the rows before each rank's own.
#include "eigen/spread.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "eigen/agreement.hpp"
#include "operands/operands.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

void require_valid(const char* operation, const detail::Operand& rows,
                   const DistributedOptions& options) {
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance)) {
    throw ArgumentError(ErrorCode::invalid_value,
                        fmt::format("{}: tolerance is {}, it must be positive and finite",
                                    operation, options.tolerance));
  }
  if (rows.rows() == 0) return;
  operands::require_stored_order(operation, {"rows", rows});
  if (rows.rows() > rows.columns()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: there are {} rows of {} elements; expected rows of a square "
                                  "matrix",
                                  operation, rows.rows(), rows.columns()));
  }
}

/// A number that must be the same on all ranks that have one.
struct Common {
  double largest = kNoNumber, minus_smallest = kNoNumber;

  void set(double number) { *this = {number, -number}; }
  bool is_one() const { return largest == -minus_smallest; }
};

void require_one(const char* operation, const Common& common, const char* option) {
  if (common.is_one()) return;
  throw ArgumentError(ErrorCode::conflicting_options,
                      fmt::format("{}: {} is {} on one rank and {} on another", operation, option,
                                  -common.minus_smallest, common.largest));
}

}  // namespace

Spread spread_of(const char* operation, Communicator& ranks, const detail::Operand& rows,
                 const DistributedOptions& options) {
  std::array<double, 6> numbers;
  Common columns, tolerance, max_rounds;
  agree(ranks, numbers, [&] {
    require_valid(operation, rows, options);
    if (rows.rows() > 0) columns.set(static_cast<double>(rows.columns()));
    tolerance.set(options.tolerance);
    max_rounds.set(options.max_rounds);
    numbers = {columns.largest,          columns.minus_smallest, tolerance.largest,
               tolerance.minus_smallest, max_rounds.largest,     max_rounds.minus_smallest};
  });
  columns = {numbers[0], numbers[1]};
  require_one(operation, {numbers[2], numbers[3]}, "tolerance");
  require_one(operation, {numbers[4], numbers[5]}, "max_rounds");
  if (columns.largest == kNoNumber)
    throw MatrixError(ErrorCode::invalid_shape, fmt::format("{}: no rank has rows", operation));
  if (!columns.is_one()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: rows have {} elements on one rank and {} on another",
                                  operation, -columns.minus_smallest, columns.largest));
  }
  const auto own = static_cast<double>(rows.rows());
  std::vector<double> all(static_cast<std::size_t>(ranks.size()));
  ranks.gather(std::span(&own, 1), std::vector<std::size_t>(all.size(), 1), all);
  const std::vector<std::size_t> lengths(all.begin(), all.end());
  const auto n = static_cast<std::size_t>(columns.largest);
  const std::size_t total = std::reduce(lengths.begin(), lengths.end());
  if (total != n) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: rows have {} elements and all ranks have {} rows; the "
                                  "matrix must be square",
                                  operation, n, total));
  }
  const std::size_t first = std::reduce(lengths.begin(), lengths.begin() + ranks.rank());
  return {lengths, {n, first, rows.rows()}};
}

}  // namespace tessera::inline v0::eigen
