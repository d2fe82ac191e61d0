// Version: of these headers, as macros and a constant, and of the library that a program runs with.
// CMakeLists.txt reads the three numbers here.
#pragma once

#include <compare>
#include <string>

#include <tessera/export.hpp>

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 2
#define TESSERA_VERSION_PATCH 0

/// The version of the headers as one number that grows with each release: 1002003 for 1.2.3.
#define TESSERA_VERSION \
  (TESSERA_VERSION_MAJOR * 1000000 + TESSERA_VERSION_MINOR * 1000 + TESSERA_VERSION_PATCH)

/// The version of the headers as text: "1.2.3".
#define TESSERA_VERSION_STRING \
  TESSERA_VERSION_TEXT_(TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR, TESSERA_VERSION_PATCH)
#define TESSERA_VERSION_TEXT_(major, minor, patch) TESSERA_VERSION_QUOTED_(major.minor.patch)
#define TESSERA_VERSION_QUOTED_(text) #text

namespace tessera::inline v0 {

/// A release by semantic versioning. While `major` is 0, a greater `minor` may change the
/// interface.
struct Version {
  int major = 0, minor = 0, patch = 0;

  /// The number that TESSERA_VERSION has for this version.
  constexpr int number() const { return major * 1000000 + minor * 1000 + patch; }

  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// "1.2.3".
TESSERA_API std::string to_string(const Version& version);

/// The version of the headers that the program was compiled with.
inline constexpr Version kHeaderVersion{TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR,
                                        TESSERA_VERSION_PATCH};

/// The version of the library that the program runs with: kHeaderVersion, unless a shared library
/// was replaced after the program was built.
TESSERA_API Version version() noexcept;

}  // namespace tessera::inline v0
