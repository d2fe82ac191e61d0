// tune with the caller's policy and clock, for tests.
#pragma once

#include "tessera/tune.hpp"
#include "tuning/clock.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

TuneResult tune(const Engine& engine, const Problem& problem, const TuneOptions& options,
                const Policy& policy, const Clock& clock);

}  // namespace tessera::inline v0::tuning
