// Products by our multiply and by other libraries, each alone in its processes.
#pragma once

#include <string>

namespace tessera::bench {

inline constexpr const char* kTimesAloneOption = "--times-alone";

void register_peers_alone();

/// Prints a line for each product of a group and type by a library: its number, the library, and
/// seconds.
void print_times_alone(const std::string& group, const std::string& type,
                       const std::string& library);

}  // namespace tessera::bench
