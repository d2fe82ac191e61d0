// Joining kernel files into the one text that a compiler gets.
#include "runtime/kernel_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

std::string text_of(const std::string& file) {
  if (const char* folder = std::getenv("TESSERA_KERNEL_DIR")) {
    std::ifstream stream(std::filesystem::path(folder) / file, std::ios::binary);
    if (stream) return {std::istreambuf_iterator<char>(stream), {}};
  }
  const auto kernels = embedded_kernels();
  const auto found = std::ranges::find(kernels, file, &EmbeddedKernel::file);
  if (found == kernels.end()) throw Error(fmt::format("no kernel file cl/{}", file));
  return std::string(found->text);
}

}  // namespace

std::string joined_source(std::span<const std::string> files) {
  std::string source;
  for (const std::string& file : files) {
    source += fmt::format("#line 1 \"cl/{}\"\n{}", file, text_of(file));
    if (!source.ends_with('\n')) source += '\n';
  }
  return source;
}

}  // namespace tessera::inline v0::runtime
