// The document of tessera --version --json.
#pragma once

namespace tessera::tool {

void print_version();

}  // namespace tessera::tool
