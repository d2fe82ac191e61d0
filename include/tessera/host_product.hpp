// multiply_host: a product of matrices in host memory, of any size, on one or several devices.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/cancellation.hpp>
#include <tessera/element_type.hpp>
#include <tessera/engine.hpp>
#include <tessera/export.hpp>
#include <tessera/host_view.hpp>
#include <tessera/multiply.hpp>
#include <tessera/problem.hpp>
#include <tessera/scalar.hpp>

namespace tessera::inline v0 {

namespace detail {

/// The view for reading of a HostView or a HostMatrix.
template <class M>
using HostReadView = HostView<const std::remove_const_t<ElementOf<M>>>;

}  // namespace detail

/// HostView and HostMatrix.
template <class M>
concept HostMatrixLike = std::convertible_to<M, detail::HostReadView<M>>;

/// Describes how much of a product is done.
struct HostProductProgress {
  std::size_t tiles_done, tiles;
};

struct HostProductOptions {
  Scalar alpha = 1;  ///< at 0, a and b are not read
  Scalar beta = 0;   ///< at 0, c is not read
  Accuracy accuracy = Accuracy::ieee;
  /// Devices to share the work; empty: the device of $TESSERA_DEVICE, or if it is not set every
  /// GPU, or else the fastest device.
  std::vector<Engine> devices = {};
  /// The most bytes for parts of the matrices on each device. 0: three quarters of a GPU's memory,
  /// half for complex types. A CPU uses the matrices in place if it can, else an eighth of memory.
  std::uint64_t device_memory = 0;
  CancelToken cancel = {};  ///< read at the beginning, after each tile and every 50 ms
  /// Called by the calling thread whenever tiles are done. If it throws, the product ends, and the
  /// exception propagates.
  std::function<void(const HostProductProgress&)> progress = {};
};

/// Reports what one device did.
struct HostProductDevice {
  Engine engine;
  std::size_t tiles = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0;  ///< that were copied to the device and from it
  bool in_place = false;                      ///< the device used the matrices without a copy
  std::string failure = {};  ///< why its tiles went to other devices; empty: nothing failed
};

struct HostProductReport {
  std::vector<HostProductDevice> devices;
  std::size_t tile_rows = 0, tile_columns = 0;  ///< of most tiles of c
  std::size_t depth = 0;  ///< inner dimension of each part of a tile; k if tiles are not split
  double seconds = 0;
};

namespace detail {

/// A HostView without its C++ element type.
struct HostOperand {
  std::byte* data;
  std::size_t rows, columns, leading_dimension;  ///< rows and columns after `op`
  ElementType type;
  Op op;
  bool pinned;

  std::size_t stored_rows() const { return is_transposed(op) ? columns : rows; }
  std::size_t stored_columns() const { return is_transposed(op) ? rows : columns; }
  /// The element in a row and a column as they are stored.
  std::byte* stored(std::size_t row, std::size_t column) const {
    return data + (row * leading_dimension + column) * element_size(type);
  }
};

template <class T>
HostOperand host_operand(const HostView<T>& view) {
  // Only the output is written, which is not const.
  auto* const data = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(view.data));
  return {data,
          view.rows,
          view.columns,
          view.leading_dimension,
          kElementType<std::remove_const_t<T>>,
          view.op,
          view.pinned};
}

TESSERA_API HostProductReport multiply_host(const HostOperand& c, const HostOperand& a,
                                            const HostOperand& b,
                                            const HostProductOptions& options);

}  // namespace detail

/// c = alpha * a * b + beta * c for matrices in host memory; a is m x k, b is k x n and c is m x n.
/// Waits. a and b may be transposed and conjugated views, c may not. Types, scalars and empty
/// shapes are as for multiply_into().
///
///     tessera::multiply_host<float>({c, m, n}, {a, m, k}, {b, k, n});
///
/// c is computed tile by tile. Each device copies the rows of a and the columns of b that its tiles
/// need, keeps as many as fit, and copies finished tiles back, while it computes. A tile whose
/// depth k does not fit is summed from several parts. The matrices may be larger than the devices.
/// Copies from and to a HostMatrix, or other memory that is known to be pinned (HostView::pinned),
/// are faster.
///
/// Shape, options and the kind of device determine tiles and parts, unless memory is short: one
/// device and several equal ones give the same bits. An element of a tile of p parts has the
/// error bound of multiply_into() with k + p in place of k.
///
/// If a device fails, the others compute its tiles, and the report says why. If all fail, this
/// throws the first error. Each tile of c is then complete or unchanged, except tiles in place and
/// tiles on their way to pinned memory. A device that fails in place after it has read c (beta is
/// not 0) ends the product. A lost device may write to pinned memory later.
///
/// Throws MatrixError for shapes that do not match, and if c has elements in common with a or b.
/// Throws ArgumentError as multiply_into() does, and DeviceError if there is no device. Throws
/// MemoryError if three tiles of 256 x 256 and their panels do not fit, UnsupportedError and
/// BuildError if no kernel can be used, and CancelledError.
template <HostMatrixLike C, HostMatrixLike A, HostMatrixLike B>
requires(detail::ResultFor<ElementOf<C>, std::remove_const_t<ElementOf<A>>>) HostProductReport
    multiply_host(C&& c, const A& a, const B& b, const HostProductOptions& options = {}) {
  using T = std::remove_const_t<ElementOf<A>>;
  return detail::multiply_host(detail::host_operand(HostView<ElementOf<C>>(c)),
                               detail::host_operand(HostView<const T>(a)),
                               detail::host_operand(HostView<const T>(b)), options);
}

/// The same with the operands' type named, for arguments in braces; `multiply_host<half, float>`
/// also names c's type.
template <Element T, Element C = ProductElement<T>>
requires(detail::ResultFor<C, T>) HostProductReport
    multiply_host(std::type_identity_t<HostView<C>> c, std::type_identity_t<HostView<const T>> a,
                  std::type_identity_t<HostView<const T>> b,
                  const HostProductOptions& options = {}) {
  return detail::multiply_host(detail::host_operand(c), detail::host_operand(a),
                               detail::host_operand(b), options);
}

}  // namespace tessera::inline v0
