// An entry of a profile, of no device in particular.
#pragma once

#include <cstddef>

#include "tessera/profile.hpp"

namespace tessera::test {

/// A square product by naive, twice as fast as the default.
inline ProfileEntry profile_entry(std::size_t size, int rows) {
  return {.problem = {.m = size, .n = size, .k = size},
          .kernel = {"naive", {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", rows}}},
          .observations = {{.m = size, .n = size, .k = size, .ratio = 0.5}},
          .seconds = 1e-3,
          .lower = 0.9e-3,
          .upper = 1.1e-3,
          .default_seconds = 2e-3,
          .platform = "platform",
          .device = "device",
          .driver = "driver",
          .simd_width = 8,
          .source = "0123",
          .version = "0",
          .when = "2026-01-02T03:04:05Z",
          .seed = 7,
          .evaluations = 9};
}

}  // namespace tessera::test
