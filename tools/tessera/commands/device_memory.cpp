// Comparing the memory that a product needs with the machine's.
#include "commands/device_memory.hpp"

#include "files/host_matrix.hpp"
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

}  // namespace tessera::tool
