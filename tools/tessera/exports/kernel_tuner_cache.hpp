// Kernel Tuner cache: trials in the file that Kernel Tuner and its tools read.
#pragma once

#include <string>
#include <tessera/tune.hpp>

namespace tessera::tool {

/// One entry, a trial, a line. Times have six digits that count. What Kernel Tuner has no place
/// for, outcomes and their reasons among it, is in fields that it skips. The same result gives the
/// same bytes.
std::string kernel_tuner_cache(const TuneResult& result);

}  // namespace tessera::tool
