// Space: the configurations that a search chooses from, as points of a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tessera/kernel.hpp"

namespace tessera::inline v0::tuning {

/// Each parameter of each variant is a dimension; the values that occur are ranked in ascending
/// order. Neither the order of `configurations` nor duplicates matter.
class Space {
 public:
  explicit Space(std::vector<KernelChoice> configurations);

  std::size_t size() const { return configurations_.size(); }
  const KernelChoice& operator[](std::size_t index) const { return configurations_[index]; }
  std::optional<std::size_t> find(const KernelChoice& kernel) const;

  std::size_t variant(std::size_t index) const { return variants_[index]; }
  /// Ranks of the parameters of its variant, in their order.
  std::span<const std::uint8_t> ranks(std::size_t index) const {
    return {ranks_.data() + index * dimensions_, dimensions_};
  }
  /// The maximum number of parameters of a variant.
  std::size_t dimensions() const { return dimensions_; }
  /// Number of dimensions in which two configurations differ; nothing if their variants differ.
  std::optional<std::size_t> differences(std::size_t a, std::size_t b) const;

 private:
  std::vector<KernelChoice> configurations_;
  std::vector<std::size_t> variants_;
  std::size_t dimensions_ = 0;
  std::vector<std::uint8_t> ranks_;  // configurations x dimensions
};

}  // namespace tessera::inline v0::tuning
