// The time of a product by sliced_k, and by other variants whose work-groups split k as it does.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "multiply/gpu/candidate.hpp"

namespace tessera::inline v0::multiplication {

/// A tile of such a variant, as measured. `part_m` and `part_n` are the rows and columns of a
/// work-item, or of a warp. A work-group takes `start` microseconds besides its steps. A compute
/// unit runs `at_a_time` work-groups. It does `alone` multiply-adds in a microsecond with one
/// work-group, `together` with all of them. If it runs others after these, each time takes `next`.
struct SlicedTile {
  int m, n, part_m, part_n, k, slices, stages, at_a_time;
  double start, alone, together, next = 0;

  double rate(std::size_t groups) const {
    return alone + (together - alone) * real(groups - 1) / (at_a_time - 1);
  }
};

/// The model of a variant's time: its tiles, and constants.
struct SlicedTimes {
  std::string_view variant;
  const char *part_m, *part_n;        ///< the names of these parameters; null if it has neither
                                      ///< them nor TILE_K and SLICES
  std::span<const SlicedTile> tiles;  ///< those that can be chosen
  double slowness;                    ///< of all tiles with this problem
  double partial;                     ///< factor of the time if C is smaller than a tile
  double stored;                      ///< elements of C in a microsecond
  double read_again;                  ///< time of C's old elements, relative to storing them
  double summed;                      ///< bytes of partial sums that are added in a microsecond
  std::size_t max_stages;             ///< 2 if tiles pass through registers
  std::size_t local_memory;
};

/// The candidate with the fastest tiles that fit into local memory; its time is infinite if none
/// fit.
Candidate fastest_sliced(const SlicedTimes& times, const DeviceCapabilities& device,
                         const Problem& problem);

/// The same of sliced_k.
Candidate by_sliced_k(const DeviceCapabilities& device, const Problem& problem);

}  // namespace tessera::inline v0::multiplication
