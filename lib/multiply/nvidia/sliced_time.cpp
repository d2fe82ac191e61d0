// Tiles of tensor cores, as measured on an H200.
#include "multiply/nvidia/sliced_time.hpp"

#include <algorithm>

#include "multiply/gpu/sliced_k_time.hpp"
#include "multiply/nvidia/mapped.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// Fitted to 2,700 times of 82 random products by these and seven other tiles, which would gain
/// nothing: what is chosen takes 2.4 % longer than the best of all.
constexpr SlicedTile kDoubleTiles[] = {{64, 64, 32, 32, 16, 1, 3, 3, 8.3, 120e3, 189e3},
                                       {64, 32, 32, 32, 32, 2, 3, 4, 8.1, 109e3, 124e3},
                                       {32, 128, 32, 32, 16, 1, 3, 3, 8.6, 124e3, 159e3},
                                       {32, 32, 16, 32, 32, 2, 3, 6, 7.4, 73e3, 92e3}};

/// Fitted, with the constants below, to 1,700 times of 320 random products by all kernels for
/// halves; 7 % off on average.
constexpr SlicedTile kShortTiles[] = {{64, 64, 0, 0, 64, 1, 2, 3, 4.4, 510e3, 740e3, 0.9},
                                      {128, 128, 0, 0, 64, 1, 2, 2, 5, 770e3, 1050e3, 1}};

/// The operands whose rows do not begin at multiples of 16 bytes.
int not_aligned(const Problem& problem) {
  const ElementType type = problem.types.a;
  return (side_of_a(problem).is_aligned(type) ? 0 : 1) +
         (side_of_b(problem).is_aligned(type) ? 0 : 1);
}

}  // namespace

Candidate by_sliced_k_double(const DeviceCapabilities& device, const Problem& problem) {
  return fastest_sliced({.variant = "sliced_k_double",
                         .part_m = "WARP_M",
                         .part_n = "WARP_N",
                         .tiles = kDoubleTiles,
                         .slowness = 1,
                         .partial = 1.15,
                         .stored = 0.3e6,
                         .read_again = 1,
                         .summed = 1.08e6,
                         .max_stages = 4,
                         .local_memory = room_for_stages(device)},
                        device, problem);
}

Candidate by_tensor_core(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kNotAligned = 0.43, kShift = 1, kRead = 9e6;  // bytes in a microsecond
  const int shifted = not_aligned(problem);
  Candidate fastest = fastest_sliced({.variant = "tensor_core",
                                      .part_m = nullptr,
                                      .part_n = nullptr,
                                      .tiles = kShortTiles,
                                      .slowness = 1 + kNotAligned * shifted,
                                      .partial = 1,
                                      .stored = 0.92e6,
                                      .read_again = 0.25,
                                      .summed = 5.5e6,
                                      .max_stages = 2,
                                      .local_memory = room_for_stages(device)},
                                     device, problem);
  const double m = real(problem.m), n = real(problem.n), k = real(problem.k),
               bytes =
                   real(problem.batch * element_size(problem.types.a)) * (m * k + k * n + m * n);
  fastest.microseconds =
      std::max(fastest.microseconds + (shifted > 0 ? kShift : 0), kCall + bytes / kRead);
  return fastest;
}

}  // namespace tessera::inline v0::multiplication
