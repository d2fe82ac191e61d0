// Markup: elements of HTML and SVG whose attributes and texts are escaped.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tessera::tool {

/// Text that shows as it is: markup is escaped, what is no character (controls, bytes that are no
/// UTF-8) is replaced.
std::string escaped(std::string_view text);

/// Two decimals at the most; 0 for what is not finite.
std::string coordinate(double value);
/// "43.21%" of the fraction 0.4321.
std::string percent(double fraction);

class Attribute {
 public:
  Attribute(std::string_view name, std::string_view value);
  Attribute(std::string_view name, double value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// <tag attributes>content</tag>; the content is markup.
std::string element(std::string_view tag, std::initializer_list<Attribute> attributes,
                    std::string_view content);
/// <tag attributes/>, of SVG.
std::string leaf(std::string_view tag, std::initializer_list<Attribute> attributes);

}  // namespace tessera::tool
