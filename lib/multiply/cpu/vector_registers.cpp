// Vector registers, estimated from the device's vector width.
#include "multiply/cpu/vector_registers.hpp"

#include <algorithm>

#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::size;
using kernels::Target;

std::size_t register_bytes(const Target& target) {
  return std::max<std::size_t>(16, std::size_t{4} * target.device().simd_width);
}

/// Registers occupied by a tile.
std::size_t tile_registers(const Parameters& p, const Target& target) {
  return size(p, "MR") * size(p, "NR_VECTORS") *
         operands::divide_up(size(p, "VECTOR") * operands::part_size(target.types.sum),
                             register_bytes(target));
}

}  // namespace

std::size_t registers(const Target& target) { return register_bytes(target) >= 64 ? 32 : 16; }

int vector_size(const Target& target) {
  return static_cast<int>(std::clamp<std::size_t>(
      register_bytes(target) / operands::part_size(target.types.sum), 4, 16));
}

std::vector<kernels::Rule> register_rules() {
  return {{.text = "a vector fills at least half a register",
           .holds =
               [](const Parameters& p, const Target& target) {
                 return 2 * size(p, "VECTOR") * operands::part_size(target.types.sum) >=
                        register_bytes(target);
               },
           .depends_on = {"VECTOR"}},
          {.text = "a tile takes at least half of the vector registers, and at most all",
           .holds =
               [](const Parameters& p, const Target& target) {
                 const std::size_t taken = tile_registers(p, target);
                 return 2 * taken >= registers(target) && taken <= registers(target);
               },
           .depends_on = {"MR", "VECTOR", "NR_VECTORS"}}};
}

}  // namespace tessera::inline v0::multiplication
