// The version that the library was built as.
#include "tessera/version.hpp"

#include <fmt/format.h>

namespace tessera::inline v0 {

std::string to_string(const Version& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

Version version() noexcept { return kHeaderVersion; }

}  // namespace tessera::inline v0
