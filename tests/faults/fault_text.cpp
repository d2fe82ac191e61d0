// Faults as text, for programs that read them from an environment variable.
#include <charconv>
#include <stdexcept>

#include "fault.hpp"

namespace tessera::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts = {""};
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

template <class Number>
Number number(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || read != end) throw std::invalid_argument("not a number: " + text);
  return value;
}

std::string known(const std::string& function) {
  if (codes(function).empty()) throw std::invalid_argument("not intercepted: " + function);
  return function;
}

Fault parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const auto values = split(equals == std::string::npos ? "" : text.substr(equals + 1), ':');
  const auto from_1 = [&](std::size_t i) { return number<long>(values[i]) - 1; };
  if (kind == "call" && (values.size() == 2 || values.size() == 3)) {
    return {.function = known(values[0]),
            .number = from_1(1),
            .code = values.size() == 3 ? number<int>(values[2]) : codes(values[0]).front()};
  }
  if (kind == "command" && values.size() == 1)
    return {.kind = Fault::Kind::command, .number = from_1(0)};
  if (kind == "command" && values.size() == 2)
    return {.kind = Fault::Kind::command, .function = known(values[0]), .number = from_1(1)};
  if (kind == "lost" && values.size() == 1) return {.kind = Fault::Kind::lost, .number = from_1(0)};
  if (kind == "stall" && values.size() == 3) {
    return {.kind = Fault::Kind::stall,
            .function = known(values[0]),
            .number = from_1(1),
            .milliseconds = number<int>(values[2])};
  }
  if (kind == "random" && values.size() == 2 && number<unsigned>(values[1]) > 0) {
    return {.kind = Fault::Kind::random,
            .seed = number<unsigned>(values[0]),
            .one_in = number<unsigned>(values[1])};
  }
  throw std::invalid_argument("not a fault: " + text);
}

}  // namespace

std::vector<Fault> parse_faults(const std::string& text) {
  std::vector<Fault> faults;
  if (text.empty()) return faults;
  for (const std::string& part : split(text, ',')) faults.push_back(parse(part));
  return faults;
}

}  // namespace tessera::test
