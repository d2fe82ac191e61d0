// Options of the C interface as options of the C++ one.
#include "c_api/options.hpp"

#include <complex>

namespace tessera::c_api {

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

KernelChoice kernel_of(const char* text) { return parse_kernel(text != nullptr ? text : ""); }

detail::Batch batch_of(const tessera_batch* batch, const char* name) {
  need(batch, name);
  return {get(batch->first, name), batch->count, batch->stride};
}

MultiplyOptions options_of(const tessera_multiply_options* given) {
  const auto options = read<tessera_multiply_options>(given, TESSERA_MULTIPLY_OPTIONS_INIT);
  need_zero(options.reserved);
  return {.alpha = std::complex(options.alpha, options.alpha_imaginary),
          .beta = std::complex(options.beta, options.beta_imaginary),
          .kernel = kernel_of(options.kernel),
          .accuracy = accuracy_of(options.accuracy),
          .wait_for = events_of(options.wait_for, options.wait_count),
          .stream = stream_of(options.stream)};
}

}  // namespace tessera::c_api
