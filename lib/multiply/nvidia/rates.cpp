// A table of rates by architecture.
#include "multiply/nvidia/rates.hpp"

#include <algorithm>
#include <iterator>

namespace tessera::inline v0::multiplication {
namespace {

// NVIDIA, "CUDA C++ Programming Guide", "Throughput of native arithmetic instructions", and the
// data sheets of A100, RTX 3090 and 4090, H200, B200, B300 and RTX 5090, divided by units and
// clocks. GeForce cards sum halves in float at half the speed of professional cards of the same
// architecture. From Hopper on, mma.sync is slower than other instructions: an H200 reaches 0.62 of
// its rate by wgmma. An A100's rate is assumed for Blackwell's servers, except for B300's bytes.
constexpr Rates kRates[] = {{0, 128, 2, 256, 1024},     {80, 64, 64, 1024, 2048},
                            {86, 128, 2, 256, 1024},    {90, 128, 128, 1270, 2540},
                            {100, 128, 64, 1024, 2048}, {103, 128, 2, 1024, 256},
                            {120, 128, 2, 256, 1024}};

}  // namespace

const Rates& rates_of(int architecture) {
  const auto later = std::ranges::upper_bound(kRates, architecture, {}, &Rates::architecture);
  return later == std::begin(kRates) ? kRates[0] : *std::prev(later);
}

}  // namespace tessera::inline v0::multiplication
