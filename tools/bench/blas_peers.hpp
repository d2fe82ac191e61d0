// Peers: multiply beside the BLAS libraries of the host.
#pragma once

namespace tessera::bench {

void register_peers();

}  // namespace tessera::bench
