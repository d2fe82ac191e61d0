// Visibility of the public interface.
#pragma once

#if defined(_WIN32) && defined(TESSERA_SHARED)
#ifdef TESSERA_BUILDING
#define TESSERA_API __declspec(dllexport)
#else
#define TESSERA_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#else
#define TESSERA_API
#endif

#include <tessera/abi.hpp>
