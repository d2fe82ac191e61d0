// T4: results in the auto-tuning community's exchange format.
#pragma once

#include <span>
#include <string>
#include <tessera/tune.hpp>

namespace tessera::tool {

/// A results file of schema 1.0.0 (github.com/odgaard/TuningSchema), with the metadata that is
/// proposed for 1.1.0. Times are in milliseconds, under the schema's names and under those that
/// Kernel Tuner writes. One result, a trial, a line; the same results give the same bytes.
std::string t4_text(std::span<const TuneResult> results);

}  // namespace tessera::tool
