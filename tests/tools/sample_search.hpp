// Synthetic searches, the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <tessera/tune.hpp>
#include <utility>
#include <vector>

namespace tessera::test {

constexpr double kStart = 1767322800;  // 2026-01-02 03:00 UTC

using Values = std::vector<std::pair<std::string, std::vector<int>>>;

/// Every combination of the values.
std::vector<KernelChoice> kernels_of(const std::string& variant, const Values& values);
/// Kernels of five variants.
std::vector<KernelChoice> multiply_kernels();

/// Tries all of them, in a random order; times are multiplied by `scale`.
std::vector<Trial> trials_of(std::vector<KernelChoice> kernels, std::uint64_t seed, double scale);

void fail(Trial& trial, Outcome outcome, const std::string& reason);

}  // namespace tessera::test
