// Memory: what a command needs is refused before it is filled.
#pragma once

#include <cstddef>
#include <string>
#include <tessera/detail/operand.hpp>
#include <tessera/engine.hpp>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// Throws UsageError if this machine has less than `of_host` bytes for `what`; a CPU's device
/// memory is the host's.
void require_host_memory(const std::string& what, double of_host, double of_device,
                         const Engine& engine);

/// A matrix on the device whose elements are undefined. Throws MemoryError, which begins with
/// `name`.
detail::Operand device_matrix(const Engine& engine, const std::string& name, ElementType type,
                              std::size_t rows, std::size_t columns);
/// Copies elements between the host and a matrix on the device of the same type and shape; waits.
void upload(const detail::Operand& to, const AnyMatrix& from);
AnyMatrix to_host(const detail::Operand& from, std::size_t stack = 0);

}  // namespace tessera::tool
