// Operands: from sources to matrices on the host and on the device.
#pragma once

#include <optional>
#include <tessera/engine.hpp>

#include "commands/product.hpp"
#include "files/matrix_file.hpp"

namespace tessera::tool {

/// What is multiplied, before there is memory for its elements.
struct ProductSources {
  Source a, b;
  std::optional<Source> c0;
};

/// Throws UsageError, which names both sources, where shapes do not go together.
ProductShape shape_of(const MultiplyCommand& command, const ProductSources& sources);

/// Reads and uploads; the sources are used up. Throws MemoryError or UsageError before it reads if
/// the device or the host has too little memory. Throws UsageError for elements that their type
/// cannot hold, and for int64 and unsigned integers whose sums may exceed int32, unless the caller
/// named the type.
Operands load(const MultiplyCommand& command, ProductSources sources, const ProductShape& shape,
              const ProductTypes& types, const Engine& engine);

}  // namespace tessera::tool
