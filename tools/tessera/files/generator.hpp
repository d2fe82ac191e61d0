// Generators: matrices that need no file.
#pragma once

#include <string>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// True if `source` begins with the name of a generator and a colon.
bool is_generator(const std::string& source);

/// Its rows and columns. Throws UsageError if what follows the name is wrong.
Shape generated_shape(const std::string& source);
/// hilbert:N, random:RxC[:SEED] (uniform in [0, 1); integers from -100 to 100 for int32 and int8),
/// normal:RxC[:SEED] (normal deviates as numbers of `type`), ones:RxC, identity:N; the seed is 1
/// without SEED. Throws UsageError if what follows the name is wrong.
Numbers generate(const std::string& source, ElementType type);

}  // namespace tessera::tool
