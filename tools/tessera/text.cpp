// Reading files and numbers, independent of the locale.
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "platform/path.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

template <class T>
std::optional<T> parsed(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Bytes of the character at the front; 0 if there is none.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; i++) {
    if (!is_continuation(text[i])) return 0;
  }
  if (length < 3) return length;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return too_long || no_character ? 0 : length;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path_of(path), failure);
  if (std::filesystem::is_directory(status)) throw UsageError(fmt::format("{}: is a folder", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw UsageError(fmt::format("{}: is not a regular file", path));  // it might never end
  const auto refuse = [&] {
    return UsageError(
        fmt::format("{}: {}", path, errno != 0 ? std::strerror(errno) : "cannot be read"));
  };
  errno = 0;
  std::ifstream stream(path_of(path), std::ios::binary);
  if (!stream) throw refuse();
  std::string content(std::filesystem::file_size(path_of(path), failure), '\0');
  if (failure || !stream.read(content.data(), static_cast<std::streamsize>(content.size())))
    throw refuse();
  return content;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::optional<double> number(std::string_view text) { return parsed<double>(text); }
std::optional<long long> integer(std::string_view text) { return parsed<long long>(text); }

std::optional<std::string_view> next_line(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const auto end = rest.find('\n');
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string_view next_word(std::string_view& rest) {
  rest = rest.substr(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const auto word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMax = 40;
  return text.size() <= kMax ? std::string(text) : fmt::format("{}…", text.substr(0, kMax));
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length > 0) {
      result += text.substr(0, length);
      text.remove_prefix(length);
    } else {
      result += "\xef\xbf\xbd";
      text.remove_prefix(1);
      while (!text.empty() && is_continuation(text.front())) text.remove_prefix(1);
    }
  }
  return result;
}

std::string one_line(std::string_view text) {
  const std::string valid = valid_utf8(text);
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(valid[at]); };
  std::string line;
  for (std::size_t i = 0; i < valid.size(); i++) {
    const bool is_c1 = byte(i) == 0xc2 && byte(i + 1) < 0xa0;  // U+0080 to U+009F: two bytes
    if (is_c1) i++;
    const bool is_control = is_c1 || byte(i) < 0x20 || byte(i) == 0x7f;
    line += is_control ? fmt::format("\\x{:02x}", byte(i)) : std::string(1, valid[i]);
  }
  return line;
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", one_line(shortened(text)));
}

std::string text_of_bytes(double bytes) {
  constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    unit++;
  }
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

}  // namespace tessera::tool
