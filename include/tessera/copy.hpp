// copy: elements from one view to another on a device.
#pragma once

#include <concepts>
#include <type_traits>

#include <tessera/event.hpp>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>

namespace tessera::inline v0 {

namespace detail {

TESSERA_API Event copy_into(const Operand& to, const Operand& from, const CallOptions& options);

}  // namespace detail

/// Enqueues a copy of the elements of `from`, bit for bit, and returns its event. The views have
/// the same shape, which may be empty, and share no element.
///
///     copy_into(c.block(0, 0, 2, 2), d);
///
/// Throws MatrixError for shapes that differ, for overlap and for a transposed or conjugated view.
/// Throws ArgumentError for views of different contexts (use copy_to()) and for a named kernel. In
/// these cases nothing has been enqueued.
template <WritableMatrix C, MatrixOf<ElementOf<C>> M>
Event copy_into(C&& to, const M& from, const CallOptions& options = {}) {
  return detail::copy_into(detail::operand(to), detail::operand(from), options);
}

}  // namespace tessera::inline v0
