// JSON of problems and kernels, as used by profiles, journals and the tuner's workers.
#pragma once

#include "runtime/json_reader.hpp"
#include "tessera/profile.hpp"

namespace tessera::inline v0::kernels {

using runtime::Json, runtime::number, runtime::read;

/// The JSON of to_json(), but without the version of the schema.
Json json_of(const Problem& problem);
/// Throws Json::exception for a missing field or an invalid value.
Problem problem_of(const Json& json);

/// The Op under `key`; none if the key is missing. Throws Json::exception for any other value.
Op op_of(const Json& json, const char* key);

/// {"variant", "parameters"}
Json json_of(const KernelChoice& kernel);
/// Throws Json::exception for a missing field or an invalid value.
KernelChoice kernel_of(const Json& json);

}  // namespace tessera::inline v0::kernels
