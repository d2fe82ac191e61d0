// A program and the library that it links share C++20 and the layout of containers. Included by
// export.hpp, which defines TESSERA_API.
#pragma once

#if defined(__GNUC__) && __cplusplus < 201709L
#error "tessera's headers need C++20: compile with -std=c++20 or newer"
#endif

#if defined(__GNUC__)
#include <version>

// Options and results hold containers, whose layout these macros decide. The layout's name is a
// variable that the library defines, and each file that includes this header refers to it: linking
// fails if the layouts differ.
#if defined(_LIBCPP_VERSION)
#define TESSERA_CONTAINERS containers_of_libcxx
#elif defined(_GLIBCXX_DEBUG) && !_GLIBCXX_USE_CXX11_ABI
#define TESSERA_CONTAINERS containers_with_GLIBCXX_DEBUG_and_without_GLIBCXX_USE_CXX11_ABI
#elif defined(_GLIBCXX_DEBUG)
#define TESSERA_CONTAINERS containers_with_GLIBCXX_DEBUG
#elif !_GLIBCXX_USE_CXX11_ABI
#define TESSERA_CONTAINERS containers_without_GLIBCXX_USE_CXX11_ABI
#else
#define TESSERA_CONTAINERS containers_of_libstdcxx
#endif

namespace tessera::inline v0::abi {

TESSERA_API extern const char TESSERA_CONTAINERS;
__attribute__((used)) static const char* const containers = &TESSERA_CONTAINERS;

}  // namespace tessera::inline v0::abi
#endif
