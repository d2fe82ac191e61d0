// Reads the dynamic linker's log.
#include "commands/blas_bindings.hpp"

#include <map>
#include <string_view>

namespace tessera::tool {
namespace {

/// "dgemm_", "cblas_ssyrk64_", "scipy_dtrsm_64_" and the like.
bool is_blas(std::string_view name) {
  for (const std::string_view prefix : {"scipy_", "cblas_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  static const std::map<std::string_view, std::string_view> kTypes{
      {"gemm", "sdcz"}, {"syrk", "sdcz"}, {"syr2k", "sdcz"}, {"symm", "sdcz"}, {"trsm", "sdcz"},
      {"trmm", "sdcz"}, {"herk", "cz"},   {"her2k", "cz"},   {"hemm", "cz"}};
  if (name.empty()) return false;
  const char type = name.front();
  name.remove_prefix(1);
  for (const auto& [routine, types] : kTypes) {
    if (!name.starts_with(routine) || types.find(type) == std::string_view::npos) continue;
    const std::string_view rest = name.substr(routine.size());
    return rest.empty() || rest == "_" || rest == "_64_" || rest == "64_" || rest == "_64";
  }
  return false;
}

/// Returns the part of a line between two texts, empty if one is missing, and shortens the line to
/// its rest.
std::string_view between(std::string_view& line, std::string_view before, std::string_view after) {
  const auto start = line.find(before);
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start + before.size());
  const auto end = line.find(after);
  if (end == std::string_view::npos) return {};
  const std::string_view found = line.substr(0, end);
  line.remove_prefix(end + after.size());
  return found;
}

}  // namespace

void read_blas_bindings(std::istream& log, std::set<BlasBinding>& bindings) {
  // "  123:  binding file CALLER [0] to ANSWERER [0]: normal symbol `dgemm_' [VERSION]"
  for (std::string text; std::getline(log, text);) {
    std::string_view line = text;
    const std::string_view caller = between(line, "binding file ", " [");
    const std::string_view answerer = between(line, " to ", " [");
    const std::string_view routine = between(line, "symbol `", "'");
    if (caller.empty() || answerer.empty() || !is_blas(routine) || caller == answerer) continue;
    bindings.insert({std::string(caller), std::string(routine), std::string(answerer)});
  }
}

}  // namespace tessera::tool
