// Eigen: a loop of matrix-vector products with the solver's stop test.
#include <Eigen/Core>
#include <algorithm>
#include <barrier>
#include <cmath>
#include <thread>

#include "peers.hpp"

namespace tessera::bench {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class EigenPeer final : public Peer {
 public:
  EigenPeer(const std::vector<float>& a, std::size_t n)
      : a_(a.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)),
        x_(a_.rows()),
        y_(a_.rows()) {}

  std::string name() const override { return "Eigen"; }

  void run(std::size_t products) override {
    x_.setOnes();
    const auto threads = static_cast<Eigen::Index>(std::thread::hardware_concurrency());
    std::barrier together(threads, [this]() noexcept { next_vector(); });
    std::vector<std::jthread> workers;
    for (Eigen::Index t = 0; t < threads; t++) {
      workers.emplace_back([this, t, threads, products, &together] {
        const Eigen::Index begin = a_.rows() * t / threads, end = a_.rows() * (t + 1) / threads;
        for (std::size_t i = 0; i < products; i++) {
          y_.segment(begin, end - begin).noalias() = a_.middleRows(begin, end - begin) * x_;
          together.arrive_and_wait();
        }
      });
    }
  }

 private:
  /// The row sums, whether neighbours agree, and the next vector.
  void next_vector() {
    float difference = 0;
    const Eigen::Index n = y_.size();
    for (Eigen::Index i = 0; i < n; i++) {
      const Eigen::Index next = i + 1 < n ? i + 1 : 0;
      difference = std::max(difference, std::fabs(y_[i] / x_[i] - y_[next] / x_[next]));
    }
    agree_ = difference < 1e-3f;
    x_ = y_ / y_.maxCoeff();
  }

  Eigen::Map<const RowMajor> a_;
  Eigen::VectorXf x_, y_;
  volatile bool agree_ = false;  // volatile: or the test would be left out
};

}  // namespace

std::unique_ptr<Peer> make_eigen_peer(const std::vector<float>& a, std::size_t n) {
  return std::make_unique<EigenPeer>(a, n);
}

}  // namespace tessera::bench
