// Sizes that this machine's memory can hold.
#include "files/host_matrix.hpp"

#include <unistd.h>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {

std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where) {
  if (rows < 0 || columns < 0)
    throw UsageError(fmt::format("{}: {} x {}: a size is negative", where, rows, columns));
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const std::size_t maximum = std::numeric_limits<std::ptrdiff_t>::max() / element_size;
  if (c != 0 && r > maximum / c) {
    throw UsageError(
        fmt::format("{}: {} x {} is more than 64 bits can address", where, rows, columns));
  }
  const auto bytes = static_cast<double>(r * c * element_size);
  if (bytes > host_memory()) {
    throw UsageError(fmt::format("{}: {} x {} elements need {}, this machine has {}", where, rows,
                                 columns, text_of_bytes(bytes), text_of_bytes(host_memory())));
  }
  return r * c;
}

double host_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tessera::tool
