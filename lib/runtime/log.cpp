// Lines on standard error, written whole so that those of several threads do not interleave.
#include "runtime/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "runtime/environment.hpp"

namespace tessera::inline v0::runtime {

bool log_wanted() {
  static const bool wanted = environment("TESSERA_LOG") == "info";
  return wanted;
}

void log(std::string_view line) {
  if (!log_wanted()) return;
  std::string text = fmt::format("tessera: {}\n", line);
  // Names and drivers' texts come from files too: they do not control the terminal.
  const auto controls = [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  };
  std::ranges::replace_if(text, controls, '?');
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tessera::inline v0::runtime
