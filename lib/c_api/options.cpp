// Options of the C interface as options of the C++ one.
#include "c_api/options.hpp"

#include <charconv>
#include <sstream>
#include <string_view>

namespace tessera::c_api {
namespace {

[[noreturn]] void wrong_kernel(const char* text) {
  throw ArgumentError(ErrorCode::invalid_value, "the kernel is \"" + std::string(text) +
                                                    "\"; expected a variant and parameters, as "
                                                    "\"tiled_static TILE=16\"");
}

}  // namespace

std::vector<Event> events_of(tessera_event* const* events, std::size_t count) {
  if (count > 0) need(events, "wait_for");
  std::vector<Event> all;
  for (std::size_t i = 0; i < count; i++) all.push_back(get(events[i]));
  return all;
}

std::optional<Stream> stream_of(const tessera_stream* stream) {
  return stream != nullptr ? std::optional(stream->stream) : std::nullopt;
}

CancelToken token_of(const tessera_cancel* cancel) {
  return cancel != nullptr ? cancel->source.token() : CancelToken();
}

KernelChoice kernel_of(const char* text) {
  KernelChoice choice;
  if (text == nullptr) return choice;
  std::istringstream words(text);
  words >> choice.variant;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) wrong_kernel(text);
    int value = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data() + equals + 1, end, value);
    if (error != std::errc() || last != end) wrong_kernel(text);
    choice.parameters[word.substr(0, equals)] = value;
  }
  return choice;
}

std::string text_of(const std::string& variant, const Parameters& parameters) {
  std::string text = variant;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + std::to_string(value);
  return text;
}

detail::Batch batch_of(const tessera_batch* batch, const char* name) {
  need(batch, name);
  return {get(batch->first, name), batch->count, batch->stride};
}

MultiplyOptions options_of(const tessera_multiply_options* given) {
  const auto options = read<tessera_multiply_options>(given, TESSERA_MULTIPLY_OPTIONS_INIT);
  need_zero(options.reserved);
  return {.alpha = options.alpha,
          .beta = options.beta,
          .kernel = kernel_of(options.kernel),
          .accuracy = accuracy_of(options.accuracy),
          .wait_for = events_of(options.wait_for, options.wait_count),
          .stream = stream_of(options.stream)};
}

}  // namespace tessera::c_api
