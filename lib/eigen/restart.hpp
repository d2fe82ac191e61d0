// Restart: a better vector between two batches of rounds, from the vectors of the last one.
#pragma once

#include <algorithm>
#include <vector>

#include "eigen/extrapolation.hpp"
#include "eigen/rounds.hpp"
#include "eigen/wide_vector.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// Holds what commands read and write on the host, so it is the submission's.
template <class Component>
class Restart {
 public:
  /// Enqueues a read of the batch's k-th vector; k == kBatch is the one that follows the batch.
  void fetch(runtime::Submission& submission, std::size_t n, cl_uint k, const cl::Buffer& from) {
    recent_.resize(kBatch + 1);
    recent_[k].resize(n * kComponents<Component>);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(from, CL_FALSE, 0, recent_[k].size() * sizeof(Component),
                                  recent_[k].data(), nullptr, event);
        },
        "reading vectors for a restart");
  }

  /// After the reads have completed: enqueues a write of a better vector to `to`, if there is one.
  /// Each vector read is A times the previous one times its factor.
  void apply(runtime::Submission& submission, const std::vector<double>& factors,
             const cl::Buffer& to) {
    std::vector<std::vector<double>> vectors;
    for (auto& vector : recent_) vectors.push_back(doubles_of(std::move(vector)));
    const auto better = extrapolated(vectors, factors);
    if (!better || std::ranges::min(*better) < static_cast<double>(kSmallest<Component>)) return;
    next_ = components_of<Component>(*better);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueWriteBuffer(to, CL_FALSE, 0, next_.size() * sizeof(Component), next_.data(),
                                   nullptr, event);
        },
        "writing a vector for a restart");
  }

 private:
  std::vector<std::vector<Component>> recent_;
  std::vector<Component> next_;
};

}  // namespace tessera::inline v0::eigen
