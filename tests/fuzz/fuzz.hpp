// Fuzzing: what all targets are made of.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace tessera::fuzz {

/// Ends the program unless `holds`; libFuzzer treats this as a crash.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN PROMISE: %s\n", promise);
  std::abort();
}

/// Returns the result of `read`; nothing if it throws a Documented. Any other exception ends the
/// program.
template <class Documented, class Read>
auto unless_refused(Read&& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Documented&) {
    return std::nullopt;
  }
}

void npy(std::string_view input);
void matrix_market(std::string_view input);
void csv(std::string_view input);
void generator(std::string_view input);

}  // namespace tessera::fuzz
