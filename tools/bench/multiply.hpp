// Multiply: benchmarks for the variants that the registry has.
#pragma once

namespace tessera::bench {

void register_multiply();

}  // namespace tessera::bench
