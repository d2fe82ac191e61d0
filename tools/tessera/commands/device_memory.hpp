// Memory: what a command needs is refused before it is filled.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>
#include <tessera/matrix.hpp>

namespace tessera::tool {

/// Throws UsageError if this machine has less than `of_host` bytes for `what`; a CPU's device
/// memory is the host's.
void require_host_memory(const std::string& what, double of_host, double of_device,
                         const Engine& engine);

/// A matrix whose elements are undefined. Throws MemoryError, which begins with `name`.
template <Element T>
Matrix<T> device_matrix(const Engine& engine, const std::string& name, std::size_t rows,
                        std::size_t columns) {
  try {
    return Matrix<T>(engine, rows, columns);
  } catch (const MemoryError& error) {
    throw MemoryError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace tessera::tool
