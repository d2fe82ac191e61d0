// copy: elements from one view to another on a device.
#pragma once

#include <optional>
#include <vector>

#include <tessera/event.hpp>
#include <tessera/matrix.hpp>

namespace tessera::inline v0 {

/// When and where a copy or a fill is enqueued.
struct EnqueueOptions {
  std::vector<Event> wait_for = {};   ///< events to wait for before it starts
  std::optional<Stream> stream = {};  ///< default: the stream of the written view
};

namespace detail {

template <class T>
TESSERA_API Event copy_into(const MatrixView<T>& to, const ConstMatrixView<T>& from,
                            const EnqueueOptions& options);

}  // namespace detail

/// Enqueues a copy of the elements of `from`, bit for bit, and returns its event. The views have
/// the same shape, which may be empty, and share no element.
///
///     copy_into(c.block(0, 0, 2, 2), d);
///
/// Throws MatrixError for shapes that differ and for overlap, ArgumentError for views of different
/// contexts, between which copy_to() copies; in these cases nothing has been enqueued.
template <MatrixLike M>
Event copy_into(const MatrixView<typename M::element_type>& to, const M& from,
                const EnqueueOptions& options = {}) {
  return detail::copy_into<typename M::element_type>(to, from, options);
}

}  // namespace tessera::inline v0
