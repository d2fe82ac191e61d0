// A kernel choice as text.
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string>

#include "tessera/error.hpp"
#include "tessera/kernel.hpp"

namespace tessera::inline v0 {

KernelChoice parse_kernel(std::string_view text) {
  const auto refuse = [&] {
    throw ArgumentError(ErrorCode::invalid_value,
                        fmt::format("the kernel is \"{}\"; expected a variant and parameters, as "
                                    "\"tiled_static TILE=16\"",
                                    text));
  };
  KernelChoice choice;
  std::istringstream words{std::string(text)};
  words >> choice.variant;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) refuse();
    int value = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data() + equals + 1, end, value);
    if (error != std::errc() || last != end) refuse();
    choice.parameters[word.substr(0, equals)] = value;
  }
  return choice;
}

std::string to_string(const KernelChoice& kernel) {
  std::string text = kernel.variant;
  for (const auto& [name, value] : kernel.parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace tessera::inline v0
