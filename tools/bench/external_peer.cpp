#include "external_peer.hpp"

#include <complex>
#include <concepts>
#include <stdexcept>
#include <utility>

#include "external/peer.h"
#include "libraries.hpp"

namespace tessera::bench {
namespace {

/// A library's functions.
struct PeerFunctions {
  std::string name;
  decltype(&tessera_peer_open) open;
  decltype(&tessera_peer_multiply) multiply;
  decltype(&tessera_peer_close) close;

  PeerFunctions(std::string its_name, void* library)
      : name(std::move(its_name)),
        open(function<decltype(tessera_peer_open)>(library, "tessera_peer_open")),
        multiply(function<decltype(tessera_peer_multiply)>(library, "tessera_peer_multiply")),
        close(function<decltype(tessera_peer_close)>(library, "tessera_peer_close")) {}
};

const std::vector<PeerFunctions>& installed_peers() {
  static const auto all = [] {
    std::vector<PeerFunctions> found;
    for (const auto& [name, file] : {std::pair("GEMMul8", "libtessera-bench-gemmul8.so"),
                                     {"libxstream", "libtessera-bench-libxstream.so"}}) {
      if (void* const library = open_first({file}, RTLD_LOCAL)) found.emplace_back(name, library);
    }
    return found;
  }();
  return all;
}

class Opened final : public ExternalPeer {
 public:
  Opened(const PeerFunctions& functions, TesseraPeer* peer) : functions_(functions), peer_(peer) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() override { functions_.close(peer_); }

  const std::string& name() const override { return functions_.name; }

  void multiply() override {
    const int status = functions_.multiply(peer_);
    if (status != 0)
      throw std::runtime_error(functions_.name + " failed: " + std::to_string(status));
  }

 private:
  const PeerFunctions& functions_;
  TesseraPeer* peer_;
};

template <class T>
constexpr TesseraPeerType type_of() {
  if constexpr (std::same_as<T, float>) return TESSERA_PEER_FLOAT;
  if constexpr (std::same_as<T, double>) return TESSERA_PEER_DOUBLE;
  if constexpr (std::same_as<T, std::complex<float>>) return TESSERA_PEER_COMPLEX64;
  if constexpr (std::same_as<T, std::complex<double>>) return TESSERA_PEER_COMPLEX128;
}

}  // namespace

template <class T>
std::vector<std::unique_ptr<ExternalPeer>> external_peers(std::size_t m, std::size_t n,
                                                          std::size_t k, const std::vector<T>& a,
                                                          const std::vector<T>& b) {
  std::vector<std::unique_ptr<ExternalPeer>> peers;
  for (const PeerFunctions& functions : installed_peers()) {
    TesseraPeer* const peer = functions.open(type_of<T>(), m, n, k, a.data(), b.data());
    if (peer == nullptr) continue;
    auto opened = std::make_unique<Opened>(functions, peer);
    if (functions.multiply(peer) == 0) peers.push_back(std::move(opened));
  }
  return peers;
}
#define EXTERNAL_PEERS(T)                                                   \
  template std::vector<std::unique_ptr<ExternalPeer>> external_peers(       \
      std::size_t m, std::size_t n, std::size_t k, const std::vector<T>& a, \
      const std::vector<T>& b);
EXTERNAL_PEERS(float)
EXTERNAL_PEERS(double)
EXTERNAL_PEERS(std::complex<float>)
EXTERNAL_PEERS(std::complex<double>)
#undef EXTERNAL_PEERS

}  // namespace tessera::bench
