// Rates by the size of elements.
#include "multiply/nvidia/traffic.hpp"

#include "multiply/product_types.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// Elements of a type in a microsecond: copied by multiply_copy_operands; stored in C one by one,
/// or by neighbours that store beside each other. Reading the old ones takes read_again times as
/// long.
struct Traffic {
  double copied, stored, stored_in_runs, read_again;
};

// These suit 2,700 times of 121 random products of floats, doubles and halves, and of doubles 51 of
// tensor_core_double.
constexpr Traffic kShorts{0.27e6, 0.3e6, 0.7e6, 1.2}, kWords{0.27e6, 0.45e6, 1.2e6, 1.2},
    kDoubles{0.17e6, 0.185e6, 0.34e6, 0.35};

const Traffic& traffic_of(ElementType type) {
  return has_16_bits(type) ? kShorts : element_size(type) > 4 ? kDoubles : kWords;
}

}  // namespace

std::size_t pitch_of_c(const Problem& problem) {
  return problem.leading_dimensions.c > 0 ? problem.leading_dimensions.c : problem.n;
}

double time_to_copy(const Side& side, bool in_order, const MappedTiles& tiles, ElementType type) {
  if (in_order && element_size(type) == tiles.number && side.is_aligned(type, tiles.alignment))
    return 0;
  const double elements = real(side.rows) * real(side.columns);
  return type == ElementType::int8 ? elements * 2 / kCopied : elements / traffic_of(type).copied;
}

double time_to_store(const Problem& problem) {
  constexpr std::size_t kBytesAtOnce = 16;
  const std::size_t run = kBytesAtOnce / element_size(problem.types.c);
  const bool in_runs = (problem.n | pitch_of_c(problem) | problem.offsets.c) % run == 0;
  const auto& [copied, stored, stored_in_runs, read_again] = traffic_of(problem.types.c);
  return real(problem.m) * real(problem.n) / (in_runs ? stored_in_runs : stored) *
         (problem.beta == 0 ? 1 : 1 + read_again);
}

}  // namespace tessera::inline v0::multiplication
