// One rank: the communicator of a distributed solve without other ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tessera/distributed.hpp>

namespace tessera::test {

class OneRank : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void maximum(std::span<double>) override {}
  void gather(std::span<const double> part, std::span<const std::size_t>,
              std::span<double> all) override {
    std::ranges::copy(part, all.begin());
  }
};

}  // namespace tessera::test
