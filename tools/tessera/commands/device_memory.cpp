// Comparing the memory that a product needs with the machine's.
#include "commands/device_memory.hpp"

#include <fmt/format.h>

#include <tessera/error.hpp>

#include "platform/system.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

void require_host_memory(const std::string& what, double of_host, double of_device,
                         const Engine& engine) {
  const bool is_shared = engine.device().type == DeviceType::cpu;
  const double bytes = of_host + (is_shared ? of_device : 0);
  if (bytes <= host_memory()) return;
  throw UsageError(fmt::format("{}: {} of memory needed{}, this machine has {}", what,
                               text_of_bytes(bytes), is_shared ? " on host and device" : "",
                               text_of_bytes(host_memory())));
}

detail::Operand device_matrix(const Engine& engine, const std::string& name, ElementType type,
                              std::size_t rows, std::size_t columns) {
  try {
    return detail::allocate(engine.stream(), type, rows, columns);
  } catch (const MemoryError& error) {
    throw MemoryError(fmt::format("{}: {}", name, error.what()));
  }
}

void upload(const detail::Operand& to, const AnyMatrix& from) {
  detail::upload(to, detail::rows_for(to, static_cast<const void*>(from.elements.data())));
}

AnyMatrix to_host(const detail::Operand& from, std::size_t stack) {
  AnyMatrix matrix(from.type, {from.rows(), from.columns(), stack});
  detail::to_host(from, detail::rows_for(from, static_cast<void*>(matrix.elements.data())));
  return matrix;
}

}  // namespace tessera::tool
