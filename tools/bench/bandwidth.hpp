// Bandwidth: the speed at which the current device reads memory, as a limit for kernels.
#pragma once

#include <chrono>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::bench {

/// Seconds of a call by the host's clock.
template <class Call>
double seconds(Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Measures on a CPU how much of `elements` all of its threads read, in four streams each, several
/// times; on other devices, half of the bytes that a copy moves.
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
