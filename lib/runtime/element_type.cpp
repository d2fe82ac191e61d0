// Sizes of elements.
#include "tessera/element_type.hpp"

#include <array>

namespace tessera::inline v0 {

std::size_t element_size(ElementType type) {
  constexpr std::array<std::size_t, 8> kSizes = {4, 8, 4, 2, 1, 2, 8, 16};
  return kSizes.at(static_cast<std::size_t>(type));
}

}  // namespace tessera::inline v0
