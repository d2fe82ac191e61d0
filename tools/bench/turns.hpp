// Calls of our multiply and of other libraries' on the same matrices, in turns.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tessera/tessera.hpp"

namespace tessera::bench {

class Cublas;

/// A product to measure. A batch has no padding.
struct Case {
  std::size_t m, n, k, count = 1;
  Op op_a = Op::none, op_b = Op::none;
  Accuracy accuracy = Accuracy::ieee;
  std::size_t padding = 0;  ///< elements between rows; half of them are before the first element
  double beta = 0;

  double flops() const { return 2.0 * static_cast<double>(m * n * k) * static_cast<double>(count); }
};

/// Times of every turn by library name; Tessera's under "ours".
using Times = std::map<std::string, std::vector<double>>;

bool is_cpu(const Engine& engine);
/// Null if it is not installed, or for a device that is not NVIDIA's.
const Cublas* cublas_for(const Engine& engine);

/// Each library that was found runs `number` turns of some milliseconds. If it is many times slower
/// than Tessera in its first two turns, it gets no more.
template <Element T>
Times take_turns(const Engine& engine, const Case& sizes, int number);

/// Turns of our multiply alone, and of cuBLAS and its relatives alone.
template <Element T>
Times times_of_ours(const Engine& engine, const Case& sizes, int number);
template <Element T>
Times times_of_cublas(const Case& sizes, int number);

/// The library's time divided by Tessera's, turn by turn, sorted.
std::vector<double> ratios(const Times& times, const std::string& name);

/// The median ratio to the fastest of the others.
double ratio_to_best(const Times& times);

}  // namespace tessera::bench
