// First call: the part that runs in a process of its own.
#pragma once

namespace tessera::bench {

inline constexpr const char* kFirstCallOption = "--measure-first-call";

/// Prints the milliseconds of device start-up, first and second product.
void measure_first_call();

}  // namespace tessera::bench
