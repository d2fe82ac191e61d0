// ViennaCL: its power iteration, on the same device.
#define VIENNACL_WITH_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <tessera/interop.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/ocl/backend.hpp>
#include <viennacl/vector.hpp>
// This header needs the headers above.
#include <viennacl/linalg/power_iter.hpp>

#include "peers.hpp"

namespace tessera::bench {
namespace {

class ViennaClPeer final : public Peer {
 public:
  ViennaClPeer(const Engine& engine, const std::vector<float>& a, std::size_t n) : engine_(engine) {
    static long contexts = 0;
    viennacl::ocl::setup_context(++contexts, interop::context(engine), interop::device(engine),
                                 interop::queue(engine));
    viennacl::ocl::switch_context(contexts);
    a_ = std::make_unique<viennacl::matrix<float>>(n, n);
    std::vector<std::vector<float>> rows(n);
    for (std::size_t i = 0; i < n; i++)
      for (std::size_t j = 0; j < n; j++) rows[i].push_back(a[i * n + j]);
    viennacl::copy(rows, *a_);
    vector_ = std::make_unique<viennacl::vector<float>>(n);
  }

  std::string name() const override { return "ViennaCL"; }

  void run(std::size_t products) override {
    const viennacl::linalg::power_iter_tag never_ends_early(0, products);
    viennacl::linalg::eig(*a_, never_ends_early, *vector_);
    viennacl::backend::finish();
  }

 private:
  Engine engine_;
  std::unique_ptr<viennacl::matrix<float>> a_;
  std::unique_ptr<viennacl::vector<float>> vector_;
};

}  // namespace

std::unique_ptr<Peer> make_viennacl_peer(const Engine& engine, const std::vector<float>& a,
                                         std::size_t n) {
  return std::make_unique<ViennaClPeer>(engine, a, n);
}

}  // namespace tessera::bench
