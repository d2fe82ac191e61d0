// Synthetic results of tunings, the same on every machine.
#pragma once

#include <tessera/tune.hpp>

namespace tessera::test {

/// A tuning of multiply over five variants: trials in an order like a search's, with finals.
TuneResult multiply_result();
/// The same for doubles, a transposed, with another device's times.
TuneResult transposed_result();
/// A row_sum of one variant; nothing was faster than the default.
TuneResult row_sum_result();

/// One trial of every outcome, whose reasons are quotes, markup, control characters and broken
/// UTF-8.
TuneResult edge_case_result();
/// No trial at all.
TuneResult empty_result();
/// Trials that all failed before they were timed.
TuneResult failed_result();
/// multiply_result() with `odd` in place of many of its numbers.
TuneResult odd_result(double odd);
/// One trial, which is timed.
TuneResult single_result();

}  // namespace tessera::test
