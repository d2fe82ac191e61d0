// Lines on standard error, written whole so that those of several threads do not interleave.
#include "runtime/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "runtime/environment.hpp"

namespace tessera::inline v0::runtime {
namespace {

const std::string& setting() {
  static const std::string value = environment("TESSERA_LOG");
  return value;
}

void write_line(std::string text) {
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

}  // namespace

bool log_wanted() { return setting() == "info"; }

void log(std::string_view line) {
  if (log_wanted()) write_line(fmt::format("tessera: {}\n", line));
}

void warn(std::string_view line) {
  if (setting() != "off") write_line(fmt::format("tessera: warning: {}\n", line));
}

}  // namespace tessera::inline v0::runtime
