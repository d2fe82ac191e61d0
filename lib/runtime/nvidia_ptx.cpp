// Replaces the target and the comment marks in a text.
#include "runtime/nvidia_ptx.hpp"

#include <charconv>
#include <string>

namespace tessera::inline v0::runtime {
namespace {

constexpr std::string_view kMark = "//@", kTarget = ".target sm_";
constexpr int kFirst = 90;  // the first architecture that has instructions of its own

/// The place after the number of the target; 0 if the text has no target from kFirst on.
std::size_t end_of_target(const std::string& text) {
  const auto target = text.find(kTarget);
  if (target == std::string::npos) return 0;
  int number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + target + kTarget.size(), last, number);
  const bool is_target = error == std::errc() && end != last &&
                         std::string_view("a, \n").find(*end) != std::string_view::npos;
  return is_target && number >= kFirst ? static_cast<std::size_t>(end - text.data()) : 0;
}

}  // namespace

bool has_own_ptx(std::string_view source) { return source.find("\"//@") != std::string_view::npos; }

std::optional<Binary> with_own_ptx(const Binary& binary) {
  std::string text(binary.begin(), binary.end());
  const std::size_t end = end_of_target(text);
  if (end == 0) return std::nullopt;
  if (text[end] != 'a') text.insert(end, 1, 'a');
  for (auto mark = text.find(kMark); mark != std::string::npos; mark = text.find(kMark, mark))
    text.erase(mark, kMark.size());
  return Binary(text.begin(), text.end());
}

}  // namespace tessera::inline v0::runtime
