// tune with the caller's policy and clock, for tests.
#pragma once

#include "tessera/tune.hpp"
#include "tuning/clock.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

TuneResult tune(const Engine& engine, const Problem& problem, const TuneOptions& options,
                const Policy& policy, const Clock& clock);

/// Appends the winner to a profile's file. Returns TuneResult::conclusion, also if the file cannot
/// be written: the tuning is not lost with it.
std::string append_winner(const std::filesystem::path& path, const ProfileEntry& entry);

}  // namespace tessera::inline v0::tuning
