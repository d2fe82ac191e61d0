// Peers: power rounds y = A x, x = y by other libraries, for comparison.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::bench {

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// So many products, one after the other; waits for the last.
  virtual void run(std::size_t products) = 0;
};

/// The libraries that were there when this was built and that run on the engine's device; `a` is
/// n x n and outlives them.
std::vector<std::unique_ptr<Peer>> make_peers(const Engine& engine, const std::vector<float>& a,
                                              std::size_t n);

/// Eigen on all threads of this machine, each a share of the rows.
std::unique_ptr<Peer> make_eigen_peer(const std::vector<float>& a, std::size_t n);
/// ViennaCL's power_iter on the engine's device.
std::unique_ptr<Peer> make_viennacl_peer(const Engine& engine, const std::vector<float>& a,
                                         std::size_t n);
/// cuBLAS's matrix-vector product; null where the library cannot be loaded.
std::unique_ptr<Peer> make_cublas_peer(const std::vector<float>& a, std::size_t n);

}  // namespace tessera::bench
