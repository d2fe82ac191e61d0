// External peers: libraries with bounded products, each behind the functions of external/peer.h in
// a shared library that its user has built; LD_LIBRARY_PATH adds folders.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

class ExternalPeer {
 public:
  virtual ~ExternalPeer() = default;
  virtual const std::string& name() const = 0;
  /// C = A B; waits for it. Throws std::runtime_error.
  virtual void multiply() = 0;
};

/// GEMMul8 and libxstream with these operands, m x k and k x n: those that the loader finds and
/// that multiply elements of T.
template <class T>
std::vector<std::unique_ptr<ExternalPeer>> external_peers(std::size_t m, std::size_t n,
                                                          std::size_t k, const std::vector<T>& a,
                                                          const std::vector<T>& b);

}  // namespace tessera::bench
