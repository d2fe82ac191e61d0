// Rates of NVIDIA's cards, which are compared with an H200 by them.
#pragma once

namespace tessera::inline v0::multiplication {

/// Multiply-adds of a compute unit in a clock: of floats in registers; of doubles on tensor cores,
/// or in registers; on tensor cores by mma.sync, of halves that are summed in float, and of bytes.
struct Rates {
  int architecture;  ///< from this one on: DeviceCapabilities::nvidia_architecture
  double floats, doubles, halves, bytes;
};

const Rates& rates_of(int architecture);

}  // namespace tessera::inline v0::multiplication
