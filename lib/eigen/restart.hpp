// Restart: a better vector between two batches of rounds, from the vectors of the last one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "eigen/arguments.hpp"
#include "eigen/extrapolation.hpp"
#include "eigen/wide_vector.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// Holds what commands read and write on the host, so it is the submission's.
class Restart {
 public:
  explicit Restart(Wide wide) : wide_(wide) {}

  /// Enqueues a read of all vectors of the ring.
  void fetch_async(runtime::Submission& submission, const Ring& ring, const cl::Buffer& from) {
    submission.read_async(from, 0, space_for(ring), kReading);
  }
  /// The same, and waits.
  void fetch(runtime::Submission& submission, const Ring& ring, const cl::Buffer& from) {
    submission.read(from, 0, space_for(ring), kReading);
  }

  /// After the read has completed: enqueues a write of a better vector over the last one, if there
  /// is one. The ring is in order from its first vector on, n components long; each is A times the
  /// previous one times its factor.
  void apply(runtime::Submission& submission, std::size_t n, const Ring& ring,
             const std::vector<double>& factors, const cl::Buffer& to) {
    std::vector<std::vector<double>> vectors;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < ring.size; k++) {
      begin = (ring.index + k) % ring.size * ring.stride * component_size(wide_);
      vectors.push_back(doubles_of(std::span(fetched_).subspan(begin, n * kWideSize), wide_));
    }
    const auto better = extrapolated(vectors, factors);
    if (!better || std::ranges::min(*better) < smallest_of(wide_)) return;
    next_ = vector_of(*better, wide_);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueWriteBuffer(to, CL_FALSE, begin, next_.size(), next_.data(), nullptr, event);
        },
        "writing a vector for a restart");
  }

 private:
  static constexpr const char* kReading = "reading vectors for a restart";

  std::span<std::byte> space_for(const Ring& ring) {
    fetched_.resize(ring.size * ring.stride * component_size(wide_));
    return fetched_;
  }

  Wide wide_;
  std::vector<std::byte> fetched_, next_;
};

}  // namespace tessera::inline v0::eigen
