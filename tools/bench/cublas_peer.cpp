// cuBLAS's matrix-vector product as a peer of the eigenpair's rounds.
#include <utility>

#include "cublas.hpp"
#include "peers.hpp"

namespace tessera::bench {
namespace {

class CublasPeer final : public Peer {
 public:
  CublasPeer(const Cublas& cublas, const std::vector<float>& a, std::size_t n)
      : cublas_(cublas),
        ones_(n, 1.0f),
        a_(cublas.upload(a)),
        x_(cublas.upload(ones_)),
        y_(cublas.upload(ones_)) {}

  std::string name() const override { return "cuBLAS"; }

  void run(std::size_t products) override {
    cublas_.write(x_, ones_.data(), ones_.size() * sizeof(float));  // or they would grow
    for (std::size_t i = 0; i < products; i++) {
      cublas_.multiply(a_, x_, y_, ones_.size());
      std::swap(x_, y_);
    }
    cublas_.finish();
  }

 private:
  const Cublas& cublas_;
  std::vector<float> ones_;
  CudaMemory a_, x_, y_;
};

}  // namespace

std::unique_ptr<Peer> make_cublas_peer(const std::vector<float>& a, std::size_t n) {
  const Cublas* const cublas = installed_cublas();
  return cublas == nullptr ? nullptr : std::make_unique<CublasPeer>(*cublas, a, n);
}

}  // namespace tessera::bench
