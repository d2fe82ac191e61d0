// Both operations as functions of a batch of products, so that checks and tuning can share code.
#pragma once

#include "multiply/vector_call.hpp"

namespace tessera::inline v0::multiplication {

using MakeCall = Call (*)(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
                          const MultiplyOptions& options);

/// Makes the call of a single product whose b and c have one column.
inline Call make_vector_call_of(const detail::Batch& c, const detail::Batch& a,
                                const detail::Batch& b, const MultiplyOptions& options) {
  return make_vector_call(c.first, a.first, b.first, options);
}

}  // namespace tessera::inline v0::multiplication
