// Options: reads structs of options that programs of other versions pass.
#pragma once

#include <tessera/tessera.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "c_api/handles.hpp"

namespace tessera::c_api {

/// The options that a caller gave, and `defaults` for members that its header did not have. Throws
/// ArgumentError for members that are not 0 and that this library does not know.
template <class Options>
Options read(const Options* given, const Options& defaults) {
  Options options = defaults;
  if (given == nullptr) return options;
  constexpr std::size_t kMost = 4096;  // of any version
  const std::size_t size = given->struct_size;
  if (size < sizeof(std::size_t) || size > kMost || size % alignof(Options) != 0) {
    throw ArgumentError(
        ErrorCode::invalid_value,
        "options: struct_size is " + std::to_string(size) + "; begin with the INIT macro");
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(given);
  for (std::size_t i = sizeof(Options); i < size; i++) {
    if (bytes[i] != std::byte{0}) {
      throw ArgumentError(
          ErrorCode::invalid_value,
          "options: a member is set that this version of the library does not know");
    }
  }
  std::memcpy(&options, given, std::min(size, sizeof(Options)));
  return options;
}

/// Throws ArgumentError unless a member that means nothing yet is 0.
inline void need_zero(std::int32_t reserved) {
  if (reserved != 0) throw ArgumentError(ErrorCode::invalid_value, "options: reserved is not 0");
}

/// An enumerator. Throws ArgumentError for a number above `last`.
template <class Enum>
Enum enumerator(const char* name, std::int32_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int32_t>(last)) {
    throw ArgumentError(ErrorCode::invalid_value,
                        std::string(name) + ": there is no " + std::to_string(number));
  }
  return static_cast<Enum>(number);
}
inline ElementType type_of(tessera_type type) {
  return enumerator("type", type, ElementType::complex128);
}
inline Accuracy accuracy_of(tessera_accuracy accuracy) {
  return enumerator("accuracy", accuracy, Accuracy::bounded);
}

std::vector<Event> events_of(tessera_event* const* events, std::size_t count);
std::optional<Stream> stream_of(const tessera_stream* stream);
CancelToken token_of(const tessera_cancel* cancel);
/// "tiled_static TILE=16" as a choice; null is an empty one. Throws ArgumentError for another form.
KernelChoice kernel_of(const char* text);

/// Throws ArgumentError for null.
detail::Batch batch_of(const tessera_batch* batch, const char* name);
MultiplyOptions options_of(const tessera_multiply_options* given);

}  // namespace tessera::c_api
