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
  // C1 controls, U+0080 to U+009F, are two bytes of UTF-8.
  const auto c1 = [](unsigned char lead, unsigned char c) {
    return lead == 0xc2 && (c & 0xe0) == 0x80;
  };
  auto pair = text.begin();
  while ((pair = std::adjacent_find(pair, text.end(), c1)) != text.end()) std::fill_n(pair, 2, '?');
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tessera::inline v0::runtime
