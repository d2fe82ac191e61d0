// Reading operands: shapes first, then memory, then elements.
#include "commands/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tessera/error.hpp>
#include <utility>
#include <vector>

#include "commands/device_memory.hpp"
#include "commands/host_product.hpp"
#include "commands/operand_types.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// The number of products: the stacks', else --batch's.
std::size_t batch_of_sources(const MultiplyCommand& command, const ProductSources& sources) {
  std::size_t batch = command.batch;
  std::string whose = fmt::format("--batch {}", batch);
  const auto add = [&](const Source& source) {
    const std::size_t stack = source.shape().stack;
    if (stack == 0) return;
    if (batch != 0 && batch != stack) {
      throw UsageError(fmt::format("{} is a stack of {} matrices: {} does not go with it",
                                   source.name(), stack, whose));
    }
    batch = stack;
    whose = fmt::format("{}, a stack of {},", source.name(), stack);
  };
  add(sources.a);
  add(sources.b);
  if (sources.c0) add(*sources.c0);
  return std::max<std::size_t>(batch, 1);
}

/// Rows of each of `batch` equal blocks.
std::size_t block_rows(const Source& source, std::size_t rows, std::size_t batch) {
  if (rows % batch != 0) {
    throw UsageError(
        fmt::format("{} has {} rows, which are not {} equal blocks", source.name(), rows, batch));
  }
  return rows / batch;
}

/// The largest sum of magnitudes of a row, or of a column of a block.
double largest_norm(const AnyMatrix& matrix, std::size_t rows_of_block, bool of_rows) {
  const auto [rows, columns, stack] = matrix.shape;
  double largest = 0;
  std::vector<double> sums(of_rows ? 1 : columns);
  for (std::size_t i = 0; i < rows; i++) {
    if (of_rows || i % rows_of_block == 0) std::ranges::fill(sums, 0);
    for (std::size_t j = 0; j < columns; j++) {
      double& sum = sums[of_rows ? 0 : j];
      sum += std::fabs(matrix[i * columns + j]);
      largest = std::max(largest, sum);
    }
  }
  return largest;
}

double largest_element(const AnyMatrix& matrix) {
  double largest = 0;
  const std::size_t count = matrix.shape.count();
  for (std::size_t i = 0; i < count; i++) largest = std::max(largest, std::fabs(matrix[i]));
  return largest;
}

/// Except for roundings, no |alpha| sum |a||b| + |beta||c0| is larger.
double largest_sum(const Operands& operands, const MultiplyCommand& command) {
  const auto &a = operands.a, &b = operands.b;
  const bool transpose_a = is_transposed(command.op_a()),
             transpose_b = is_transposed(command.op_b());
  const std::size_t a_block = transpose_a ? operands.k : operands.rows;
  const std::size_t b_block = transpose_b ? operands.columns : operands.k;
  const double sum = std::min(largest_norm(a, a_block, !transpose_a) * largest_element(b),
                              largest_element(a) * largest_norm(b, b_block, transpose_b));
  return std::fabs(command.alpha.real()) * sum +
         std::fabs(command.beta.real()) * largest_element(operands.c0);
}

/// Sums of elements that were wider than int32 may leave it.
void check_sums(const Operands& operands, const MultiplyCommand& command,
                const ProductSources& sources) {
  const bool is_wide = is_wide_integer(sources.a) || is_wide_integer(sources.b);
  if (!is_integer(operands.types.sum) || !is_wide || !command.dtype.empty()) return;
  const double largest = largest_sum(operands, command);
  constexpr double kRoundings = 1e-6;  // of sums of fewer than 2^32 numbers
  if (largest * (1 + kRoundings) <= std::numeric_limits<std::int32_t>::max()) return;
  throw UsageError(fmt::format(
      "{} and {}: sums may reach {:.3g}, int32 ends at 2147483647: --dtype double (exact up to "
      "2^53) or --dtype int32 (modulo 2^32)",
      sources.a.name(), sources.b.name(), largest));
}

double bytes_of(std::size_t rows, std::size_t columns, ElementType type) {
  return static_cast<double>(rows) * static_cast<double>(columns) *
         static_cast<double>(element_size(type));
}

/// On the host the operands and the product are held at once.
void check_memory(const ProductSources& sources, const ProductShape& shape,
                  const ProductTypes& types, const Engine& engine, bool on_host) {
  const double c = bytes_of(shape.batch * shape.rows, shape.columns, types.c);
  double of_device = c, held = c, reading = 0;
  const auto add = [&](const Source& source, ElementType type, bool on_device) {
    if (on_device) of_device += bytes_of(source.shape().rows, source.shape().columns, type);
    held += source.held(type);
    reading = std::max(reading, source.needed_to_read(type));
  };
  add(sources.a, types.a, true);
  add(sources.b, types.b, true);
  if (sources.c0) add(*sources.c0, types.c, false);
  require_host_memory("the operands and the product", held + reading, on_host ? 0 : of_device,
                      engine);
}

/// Memory for the operands on the device. Throws MemoryError, also if there is none for the
/// product.
void allocate(Operands& operands, const ProductSources& sources) {
  const auto on_device = [&](const Source& source, ElementType type) {
    return device_matrix(operands.engine, source.name(), type, source.shape().rows,
                         source.shape().columns);
  };
  auto a = on_device(sources.a, operands.types.a), b = on_device(sources.b, operands.types.b);
  output_of(operands);
  operands.a_device = std::move(a);
  operands.b_device = std::move(b);
}

}  // namespace

ProductShape shape_of(const MultiplyCommand& command, const ProductSources& sources) {
  const Shape a = sources.a.shape(), b = sources.b.shape();
  ProductShape shape;
  shape.batch = batch_of_sources(command, sources);
  shape.is_stack = a.stack != 0 || b.stack != 0 || (sources.c0 && sources.c0->shape().stack != 0);
  // As NumPy: a matrix beside a stack goes with each of its matrices.
  shape.repeats_a = shape.is_stack && command.batch == 0 && a.stack == 0;
  shape.repeats_b = shape.is_stack && command.batch == 0 && b.stack == 0;
  const std::size_t a_rows = block_rows(sources.a, a.rows, shape.repeats_a ? 1 : shape.batch),
                    b_rows = block_rows(sources.b, b.rows, shape.repeats_b ? 1 : shape.batch);
  const bool transpose_a = is_transposed(command.op_a()),
             transpose_b = is_transposed(command.op_b());
  shape.rows = transpose_a ? a.columns : a_rows;
  shape.k = transpose_a ? a_rows : a.columns;
  shape.columns = transpose_b ? b_rows : b.columns;
  const std::size_t b_inner = transpose_b ? b.columns : b_rows;
  if (shape.k != b_inner) {
    throw UsageError(fmt::format(
        "{} is {} x {}{} and {} is {} x {}{}: the inner dimensions {} and {} differ",
        sources.a.name(), a_rows, a.columns, transpose_a ? " transposed" : "", sources.b.name(),
        b_rows, b.columns, transpose_b ? " transposed" : "", shape.k, b_inner));
  }
  if (!sources.c0) return shape;
  const Shape c0 = sources.c0->shape();
  if (c0.rows != shape.batch * shape.rows || c0.columns != shape.columns) {
    throw UsageError(fmt::format("{} is {} x {}, the product is {} x {}", sources.c0->name(),
                                 c0.rows, c0.columns, shape.batch * shape.rows, shape.columns));
  }
  return shape;
}

Operands load(const MultiplyCommand& command, ProductSources sources, const ProductShape& shape,
              const ProductTypes& types, const Engine& engine) {
  Operands operands{shape, types, engine, {}, {}, {}};
  const std::string why = why_on_device(command, shape);
  if (command.host && !why.empty())
    throw UsageError(fmt::format("--host: {} needs the operands on a device", why));
  operands.on_host = command.host;
  check_memory(sources, shape, types, engine, operands.on_host);
  if (!operands.on_host) {
    try {
      allocate(operands, sources);
    } catch (const MemoryError&) {
      if (!why.empty()) throw;
      operands.on_host = true;
    }
  }
  operands.a = std::move(sources.a).read(types.a);
  operands.b = std::move(sources.b).read(types.b);
  if (sources.c0) operands.c0 = std::move(*sources.c0).read(types.c);
  check_sums(operands, command, sources);
  if (operands.on_host) return operands;
  upload(operands.a_device, operands.a);
  upload(operands.b_device, operands.b);
  return operands;
}

}  // namespace tessera::tool
