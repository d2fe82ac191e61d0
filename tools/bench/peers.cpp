// Peers: the libraries that were found by this build and that run on the device.
#include "peers.hpp"

#include <utility>

namespace tessera::bench {

std::vector<std::unique_ptr<Peer>> make_peers(const Engine& engine,
                                              [[maybe_unused]] const std::vector<float>& a,
                                              [[maybe_unused]] std::size_t n) {
  std::vector<std::unique_ptr<Peer>> all;
#ifdef TESSERA_BENCH_EIGEN
  if (engine.device().type == DeviceType::cpu) all.push_back(make_eigen_peer(a, n));
#endif
#ifdef TESSERA_BENCH_VIENNACL
  all.push_back(make_viennacl_peer(engine, a, n));
#endif
  if (engine.device().vendor.find("NVIDIA") != std::string::npos) {
    if (auto cublas = make_cublas_peer(a, n)) all.push_back(std::move(cublas));
  }
  return all;
}

}  // namespace tessera::bench
