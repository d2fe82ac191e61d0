// Bandwidth: how fast the device in hand reads memory, to hold kernels against.
#pragma once

#include <chrono>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::bench {

/// What a call takes by the host's clock.
template <class Call>
double seconds(Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of a CPU what all its threads read of `elements`, four streams each, some times over; of
/// anything else half of what it copies.
class Bandwidth {
 public:
  /// `elements` are kept by the caller, and their number is a multiple of 64.
  Bandwidth(const Engine& engine, const std::vector<float>& elements);
  double seconds_a_byte() const;

 private:
  void read_on_host() const;
  void copy_on_device() const;

  const std::vector<float>& elements_;
  bool on_host_;
  Matrix<float> from_, to_;
};

}  // namespace tessera::bench
