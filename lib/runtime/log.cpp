// Lines on standard error, written whole so that those of several threads do not interleave.
#include "runtime/log.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "runtime/environment.hpp"

namespace tessera::inline v0::runtime {

bool log_wanted() {
  static const bool wanted = environment("TESSERA_LOG") == "info";
  return wanted;
}

void log(std::string_view line) {
  if (!log_wanted()) return;
  const std::string text = fmt::format("tessera: {}\n", line);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tessera::inline v0::runtime
