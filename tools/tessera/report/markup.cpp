// Escaping text, writing elements.
#include "report/markup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "text.hpp"

namespace tessera::tool {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      case '\r': break;
      case '\n':
      case '\t': result += c; break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          result += "\xef\xbf\xbd";
        } else {
          result += c;
        }
    }
  }
  return result;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string percent(double fraction) { return coordinate(100 * fraction) + "%"; }

Attribute::Attribute(std::string_view name, std::string_view value)
    : text_(fmt::format(" {}=\"{}\"", name, escaped(value))) {}

Attribute::Attribute(std::string_view name, double value)
    : text_(fmt::format(" {}=\"{}\"", name, coordinate(value))) {}

std::string element(std::string_view tag, std::initializer_list<Attribute> attributes,
                    std::string_view content) {
  std::string result = fmt::format("<{}", tag);
  for (const Attribute& attribute : attributes) result += attribute.text();
  return result + fmt::format(">{}</{}>", content, tag);
}

std::string leaf(std::string_view tag, std::initializer_list<Attribute> attributes) {
  std::string result = fmt::format("<{}", tag);
  for (const Attribute& attribute : attributes) result += attribute.text();
  return result + "/>";
}

}  // namespace tessera::tool
