// Works on items in this process: Windows cannot fork, so a driver that crashes ends the command.
#include "commands/apart.hpp"

namespace tessera::tool {

void work_apart(std::size_t items, const Apart& apart) {
  apart.opened(apart.open());
  for (std::size_t item = 0; item < items; item++)
    apart.done(item, apart.work(item, [](const std::string&) {}));
  apart.close();
}

}  // namespace tessera::tool
