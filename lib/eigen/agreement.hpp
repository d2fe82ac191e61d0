// Agreement: work that every rank does before all compare numbers, so that no rank waits for one
// that failed.
#pragma once

#include <functional>
#include <limits>
#include <span>

#include "tessera/distributed.hpp"

namespace tessera::inline v0::eigen {

/// The number that a rank without rows gives.
constexpr double kNoNumber = -std::numeric_limits<double>::infinity();

/// Runs `work`, which sets `numbers`, then replaces these by the largest ones of all ranks. If it
/// throws on any rank, or sets a number to NaN, throws RemoteError on all ranks. Collective.
void agree(Communicator& ranks, std::span<double> numbers, const std::function<void()>& work);

}  // namespace tessera::inline v0::eigen
