// Cache: built programs, kept on disk for later processes.
#pragma once

#include <cstdint>
#include <filesystem>

#include <tessera/export.hpp>

namespace tessera::inline v0 {

/// Programs on disk: in the folder that $TESSERA_CACHE names, else, unless the runtime keeps its own
/// (PoCL), in $XDG_CACHE_HOME/tessera.
struct CacheInfo {
  std::filesystem::path folder;  ///< empty if $TESSERA_CACHE is "off"
  std::uint64_t programs = 0;
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;  ///< in bytes: beyond it, the least recently used are removed
};

/// The current contents of the cache.
TESSERA_API CacheInfo program_cache();

/// Removes all programs, and no other file; returns what was removed. Throws Error if a file cannot
/// be removed. Running processes keep their built programs.
TESSERA_API CacheInfo clear_program_cache();

}  // namespace tessera::inline v0
