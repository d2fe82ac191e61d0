// multiply_host: checks, devices, and a thread for each of them.
#include "tessera/host_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include "host_product/board.hpp"
#include "host_product/worker.hpp"
#include "operands/numbers.hpp"
#include "operands/overlap.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/shape.hpp"
#include "tessera/device.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace host_product {
namespace {

using detail::HostOperand;

void check_layout(const char* name, const HostOperand& host) {
  if (host.rows == 0 || host.columns == 0) return;
  if (host.data == nullptr)
    throw MatrixError(ErrorCode::moved_from, fmt::format("multiply_host: {} has no memory", name));
  // Throws for a size that overflows.
  runtime::bytes_of(host.stored_rows(), std::max(host.leading_dimension, host.stored_columns()),
                    element_size(host.type));
  if (host.stored_rows() > 1 && host.leading_dimension < host.stored_columns()) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply_host: rows of {} have {} elements and are {} apart",
                                  name, host.stored_columns(), host.leading_dimension));
  }
}

/// Throws MatrixError if an operand has bytes in common with c.
void check_apart(const char* name, const HostOperand& operand, const HostOperand& c) {
  const auto bytes_of = [](const HostOperand& host) {
    const std::size_t size = element_size(host.type);
    return operands::Rows{reinterpret_cast<std::uintptr_t>(host.data), host.stored_rows(),
                          host.stored_columns() * size,
                          std::max(host.leading_dimension, host.stored_columns()) * size};
  };
  const auto is_empty = [](const HostOperand& host) { return host.rows == 0 || host.columns == 0; };
  if (is_empty(operand) || is_empty(c)) return;
  if (!operands::overlap(bytes_of(operand), bytes_of(c))) return;
  throw MatrixError(ErrorCode::overlapping,
                    fmt::format("multiply_host: c has elements in common with {}", name));
}

Multiplication checked(const HostOperand& c, const HostOperand& a, const HostOperand& b,
                       const HostProductOptions& options) {
  check_layout("a", a);
  check_layout("b", b);
  check_layout("c", c);
  if (c.op != Op::none)
    throw MatrixError(ErrorCode::unsupported_layout,
                      fmt::format("multiply_host: c is a {} view",
                                  is_transposed(c.op) ? "transposed" : "conjugated"));
  if (a.columns != b.rows || c.rows != a.rows || c.columns != b.columns) {
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("multiply_host: a is {} x {}, b is {} x {} and c is {} x {}",
                                  a.rows, a.columns, b.rows, b.columns, c.rows, c.columns));
  }
  check_apart("a", a, c);
  check_apart("b", b, c);
  const ProductTypes types(a.type, c.type);
  if (b.type != a.type || !is_product(types)) {
    throw MatrixError(
        ErrorCode::wrong_type,
        fmt::format("multiply_host: a is of {}, b of {} and c of {}: there is no such product",
                    to_string(a.type), to_string(b.type), to_string(c.type)));
  }
  const Scalar alpha = operands::factor_of("multiply_host", "alpha", options.alpha, types.sum);
  const Scalar beta = operands::factor_of("multiply_host", "beta", options.beta, types.sum);
  return {{c.rows, c.columns, alpha == 0 ? 0 : a.columns, types, options.accuracy},
          a,
          b,
          c,
          alpha,
          beta,
          {}};
}

/// Every GPU, or else the fastest device; $TESSERA_DEVICE if it is set.
std::vector<Engine> usual_devices() {
  std::vector<Engine> engines;
  if (runtime::environment("TESSERA_DEVICE").empty()) {
    for (const DeviceInfo& device : devices()) {
      if (device.type != DeviceType::gpu) continue;
      try {
        engines.emplace_back(device.selector);
      } catch (const Error& error) {
        runtime::warn(fmt::format("multiply_host: {} is not used: {}", device.name, error.what()));
      }
    }
  }
  if (engines.empty()) engines.emplace_back();
  return engines;
}

/// Bytes of each device that panels and tiles may use.
std::uint64_t usable_bytes(const Extents& extents, const std::vector<HostProductDevice>& devices,
                           std::uint64_t wanted) {
  if (wanted != 0) return wanted;
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  for (const HostProductDevice& device : devices) {
    const std::uint64_t capacity = device.engine.memory().capacity;
    // The memory of a CPU holds the caller's matrices too.
    const bool is_host = device.engine.device().type == DeviceType::cpu;
    bytes = std::min(bytes, is_host ? capacity / 8 : usable_part(extents, capacity));
  }
  return bytes;
}

/// A worker of each device, or the error of making it.
struct Workers {
  std::vector<std::unique_ptr<Worker>> all = {};
  std::vector<std::pair<std::size_t, std::exception_ptr>> errors = {};

  /// Adds the error that is being handled.
  void add_failed() {
    errors.emplace_back(all.size(), std::current_exception());
    all.push_back(nullptr);
  }
  /// Throws the first error if no device has a worker.
  void require_one() const {
    if (!errors.empty() && errors.size() == all.size())
      std::rethrow_exception(errors.front().second);
  }
};

std::string named() { return "multiply_host"; }

/// Bytes that each device has for copies of complex operands, as runs_as_real() has it. CPUs need
/// none.
std::uint64_t bytes_for_copies(const std::vector<HostProductDevice>& devices) {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  for (const HostProductDevice& device : devices) {
    const DeviceInfo& info = device.engine.device();
    if (info.type == DeviceType::cpu) continue;
    bytes = std::min({bytes, info.global_memory / 4, info.max_allocation});
  }
  return bytes;
}

/// Workers that use the matrices in place; empty if a device cannot.
Workers in_place(Multiplication& product, std::vector<HostProductDevice>& devices) {
  product.partition = partition_in_place(product.extents, bytes_for_copies(devices));
  Workers workers;
  for (std::size_t i = 0; i < devices.size(); i++) {
    try {
      workers.all.push_back(runtime::with_opencl_errors(
          [&] { return work_in_place(product, i, devices[i]); }, named));
      if (!workers.all.back()) return {};
    } catch (const Error&) {
      workers.add_failed();
    }
  }
  workers.require_one();
  return workers;
}

/// Makes the workers for the product's partition. Returns whether a device is short of memory, and
/// then stops there if it `stops`.
bool make_workers(const Multiplication& product, std::vector<HostProductDevice>& devices,
                  std::uint64_t bytes, bool stops, Workers& workers) {
  bool is_short = false;
  for (std::size_t i = 0; i < devices.size() && !(is_short && stops); i++) {
    devices[i].in_place = false;
    try {
      workers.all.push_back(runtime::with_opencl_errors(
          [&] { return work_on_copies(product, i, bytes, devices[i]); }, named));
    } catch (const Error& error) {
      is_short = is_short || is_short_of_memory(error);
      workers.add_failed();
    }
  }
  return is_short;
}

/// Workers whose panels and tiles fit on all devices; if no tiles do, on those that have room for
/// the usual ones.
Workers on_copies(Multiplication& product, std::vector<HostProductDevice>& devices,
                  std::uint64_t bytes) {
  const Partition usual = partition(product.extents, bytes);
  product.partition = usual;
  for (bool stops = true;;) {
    Workers workers;
    if (!make_workers(product, devices, bytes, stops, workers) || !stops) {
      workers.require_one();
      return workers;
    }
    try {
      product.partition = smaller(product.extents, product.partition);
    } catch (const MemoryError&) {
      if (devices.size() == 1) throw;
      product.partition = usual;
      stops = false;
    }
  }
}

/// Calls `progress` until all tiles are done, every device has ended, or the caller cancels.
void watch(Board& board, const HostProductOptions& options) {
  std::size_t done = 0;
  for (bool is_over = false; !is_over;) {
    is_over = board.is_over();
    const std::size_t now = is_over ? board.done_tiles() : board.wait(done);
    if (now > done && options.progress) options.progress({now, board.tiles()});
    done = now;
    if (options.cancel.cancelled()) return;
  }
}

/// Throws the first error, which also says how many tiles are done.
[[noreturn]] void report_failure(const std::exception_ptr& error, std::size_t done,
                                 std::size_t tiles) {
  try {
    std::rethrow_exception(error);
  } catch (const OpenClError& failure) {
    throw OpenClError(failure.opencl_code(), failure.call(),
                      fmt::format("multiply_host; {} of {} tiles are done", done, tiles));
  }
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

void run(const Multiplication& product, const Workers& workers, const HostProductOptions& options,
         HostProductReport& report) {
  Board board(product.partition, workers.all.size());
  for (const auto& [device, error] : workers.errors) board.fail(device, error, true);
  std::exception_ptr interrupted;
  {
    std::vector<std::jthread> threads;
    try {
      for (const auto& worker : workers.all) {
        if (worker) threads.emplace_back([&board, &worker] { worker->run(board); });
      }
      watch(board, options);
    } catch (...) {
      interrupted = std::current_exception();
    }
    board.stop();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  const std::size_t done = board.done_tiles();
  for (const auto& [device, error] : board.errors())
    report.devices[device].failure = text_of(error);
  if (done == board.tiles()) return;
  if (!board.errors().empty() && !options.cancel.cancelled())
    report_failure(board.errors().front().second, done, board.tiles());
  throw CancelledError(
      fmt::format("multiply_host: cancelled after {} of {} tiles", done, board.tiles()));
}

}  // namespace
}  // namespace host_product

HostProductReport detail::multiply_host(const HostOperand& c, const HostOperand& a,
                                        const HostOperand& b, const HostProductOptions& options) {
  using namespace host_product;  // NOLINT: this function's own room
  const auto start = std::chrono::steady_clock::now();
  Multiplication product = checked(c, a, b, options);
  if (options.cancel.cancelled()) throw CancelledError("multiply_host: cancelled before it began");
  HostProductReport report;
  for (const Engine& engine : options.devices.empty() ? usual_devices() : options.devices)
    report.devices.push_back({engine});
  if (c.rows == 0 || c.columns == 0) return report;
  Workers workers;
  if (options.device_memory == 0) workers = in_place(product, report.devices);
  if (workers.all.empty())
    workers = on_copies(product, report.devices,
                        usable_bytes(product.extents, report.devices, options.device_memory));
  run(product, workers, options, report);
  report.tile_rows = product.partition.tile_rows;
  report.tile_columns = product.partition.tile_columns;
  report.depth = std::min(product.partition.depth, product.extents.k);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace tessera::inline v0
