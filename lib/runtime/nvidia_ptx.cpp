// Replaces the target and the comment marks in a text.
#include "runtime/nvidia_ptx.hpp"

#include <string>

namespace tessera::inline v0::runtime {
namespace {

constexpr std::string_view kMark = "//@", kTarget = ".target sm_90";

}  // namespace

bool has_hopper_ptx(std::string_view source) {
  return source.find("\"//@") != std::string_view::npos;
}

std::optional<Binary> hopper_ptx(const Binary& binary) {
  std::string text(binary.begin(), binary.end());
  const auto target = text.find(kTarget);
  if (target == std::string::npos) return std::nullopt;
  const auto end = target + kTarget.size();
  if (end >= text.size() || std::string_view("a, \n").find(text[end]) == std::string_view::npos)
    return std::nullopt;
  if (text[end] != 'a') text.insert(end, 1, 'a');
  for (auto mark = text.find(kMark); mark != std::string::npos; mark = text.find(kMark, mark))
    text.erase(mark, kMark.size());
  return Binary(text.begin(), text.end());
}

}  // namespace tessera::inline v0::runtime
