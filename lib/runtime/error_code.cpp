// Names of error codes.
#include <algorithm>
#include <array>

#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

struct NamedCode {
  ErrorCode code;
  std::string_view name;
};

#define TESSERA_CODE(name) \
  NamedCode { ErrorCode::name, #name }
constexpr std::array kNames = {TESSERA_CODE(invalid_value),
                               TESSERA_CODE(unknown_name),
                               TESSERA_CODE(conflicting_options),
                               TESSERA_CODE(wrong_context),
                               TESSERA_CODE(unsupported_queue),
                               TESSERA_CODE(invalid_json),
                               TESSERA_CODE(invalid_shape),
                               TESSERA_CODE(out_of_bounds),
                               TESSERA_CODE(overlapping),
                               TESSERA_CODE(moved_from),
                               TESSERA_CODE(too_large),
                               TESSERA_CODE(unsupported_layout),
                               TESSERA_CODE(unsupported_buffer),
                               TESSERA_CODE(invalid_element),
                               TESSERA_CODE(wrong_type),
                               TESSERA_CODE(unsupported),
                               TESSERA_CODE(failed_check),
                               TESSERA_CODE(build_failed),
                               TESSERA_CODE(no_device),
                               TESSERA_CODE(forked_process),
                               TESSERA_CODE(out_of_memory),
                               TESSERA_CODE(opencl_failed),
                               TESSERA_CODE(device_lost),
                               TESSERA_CODE(out_of_host_memory),
                               TESSERA_CODE(io),
                               TESSERA_CODE(busy),
                               TESSERA_CODE(worker_failed),
                               TESSERA_CODE(cancelled),
                               TESSERA_CODE(rank_failed)};
#undef TESSERA_CODE

}  // namespace

std::string_view to_string(ErrorCode code) {
  const auto* found = std::ranges::find(kNames, code, &NamedCode::code);
  return found == kNames.end() ? "unknown" : found->name;
}

}  // namespace tessera::inline v0
