// Printing the document of --json.
#pragma once

#include <fmt/format.h>

namespace tessera::tool {

/// A document on a few lines. Names of files and drivers may be any bytes: those that are not UTF-8
/// are replaced.
template <class Json>
void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tessera::tool
