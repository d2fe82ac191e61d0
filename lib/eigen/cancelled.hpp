// The end of a solve that the caller has cancelled.
#pragma once

#include "tessera/eigen.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {

/// Throws CancelledError if the caller has cancelled.
inline void throw_if_cancelled(const EigenOptions& options) {
  if (options.cancel.cancelled())
    throw CancelledError("dominant_eigenpair: cancelled before the result was known");
}

}  // namespace tessera::inline v0::eigen
