// Element types, the log and cancellation in C.
#include <string>
#include <string_view>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C

namespace {

bool is_type(tessera_type type) { return type >= TESSERA_FLOAT32 && type <= TESSERA_COMPLEX128; }

}  // namespace

const char* tessera_type_name(tessera_type type) {
  // A literal: it ends with 0.
  return is_type(type) ? tessera::to_string(static_cast<tessera::ElementType>(type)).data()
                       : "unknown";
}

std::size_t tessera_type_size(tessera_type type) {
  return is_type(type) ? tessera::element_size(static_cast<tessera::ElementType>(type)) : 0;
}

tessera_status tessera_log_set(std::int32_t level, tessera_log_handler handler, void* user,
                               tessera_error** error) {
  return guarded(error, [&] {
    const auto least = enumerator("level", level, tessera::LogLevel::info);
    tessera::LogHandler own;
    if (handler != nullptr) {
      own = [handler, user](tessera::LogLevel importance, std::string_view message) {
        handler(static_cast<std::int32_t>(importance), std::string(message).c_str(), user);
      };
    }
    tessera::set_log_handler(std::move(own));
    tessera::set_log_level(least);
  });
}

tessera_status tessera_cancel_create(tessera_cancel** cancel, tessera_error** error) {
  return create(cancel, error, [] { return tessera::CancelSource(); });
}
void tessera_cancel_request(const tessera_cancel* cancel) {
  if (cancel != nullptr) cancel->source.cancel();
}
std::int32_t tessera_cancel_requested(const tessera_cancel* cancel) {
  return cancel != nullptr && cancel->source.cancelled() ? 1 : 0;
}
void tessera_cancel_destroy(tessera_cancel* cancel) { destroy(cancel); }
