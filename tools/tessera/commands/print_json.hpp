// Printing the document of --json.
#pragma once

#include <fmt/format.h>

#include <tessera/device.hpp>

namespace tessera::tool {

/// Prints a document on a few lines, after its schema. Names of files and drivers may be any bytes:
/// those that are not UTF-8 are replaced.
template <class Json>
void print_json(const Json& document) {
  Json whole = {{"schema", kJsonSchema}};
  whole.update(document);
  fmt::print("{}\n", whole.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tessera::tool
