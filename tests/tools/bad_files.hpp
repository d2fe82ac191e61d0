// Bad files: matrices that cannot be read, kernels that cannot be built, outputs that cannot be
// written.
#pragma once

#include "support/folder.hpp"

namespace tessera::test {

void make_bad_files(const Folder& folder);

}  // namespace tessera::test
