// Cache: built programs and results of checks, kept on disk for later processes.
#pragma once

#include <cstdint>
#include <filesystem>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// Files on disk: in the folder that $TESSERA_CACHE names, else in $XDG_CACHE_HOME/tessera. Each
/// has a built program or the result of a first check. PoCL keeps built programs itself: they are
/// in the folder only if $TESSERA_CACHE names it.
struct CacheInfo {
  std::filesystem::path folder;  ///< empty if $TESSERA_CACHE is "off"
  std::uint64_t programs = 0;    ///< files: built programs, and results of checks
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;  ///< in bytes: beyond it, the least recently used are removed
};

/// The current contents of the cache.
TESSERA_API CacheInfo program_cache();

/// Removes these files, and no others; returns what was removed. Throws Error if a file cannot
/// be removed. Running processes keep their built programs.
TESSERA_API CacheInfo clear_program_cache();

}  // namespace tessera::inline v0
