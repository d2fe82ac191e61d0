// The similarity_transform operation: its table of variants.
#pragma once

#include "eigen/step_call_types.hpp"
#include "kernels/table.hpp"

namespace tessera::inline v0::eigen {

const kernels::Table<SimilarityTransformCall>& similarity_transform_table();

}  // namespace tessera::inline v0::eigen
