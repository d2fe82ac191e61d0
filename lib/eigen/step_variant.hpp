// Parts of a row that variants of the eigenpair's operations share.
#pragma once

#include <string>
#include <vector>

#include "kernels/plan.hpp"
#include "kernels/variant.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::eigen {

/// LOCAL_SIZE, the work-items of a work-group.
kernels::Parameter group_parameter();
/// Small work-groups are for devices that allow no others.
kernels::Rule group_rule();
Parameters preferred_group(const kernels::Target& target);
kernels::WorkGroup group_of(const Parameters& parameters);

/// The types of the eigenpair: float and double.
std::vector<ProductTypes> real_types();

/// Work-groups of the first of two passes over `length` elements: enough to occupy the device, and
/// few enough for one work-group to reduce their results.
std::size_t first_pass_groups(const runtime::Submission& submission, std::size_t length,
                              const kernels::WorkGroup& group);

/// VECTOR and ITEMS_PER_CU of variants in which each work-item has its own rows.
kernels::Parameter vector_parameter();
int preferred_vector(const kernels::Target& target);
kernels::Parameter tasks_parameter();
/// Number of work-items for `blocks` blocks of rows.
std::size_t row_tasks(const kernels::Plan& plan, const runtime::Submission& submission,
                      std::size_t blocks);
/// Prefers row_per_item on CPUs and row_per_group on other devices.
kernels::Preference by_rows(const DeviceCapabilities& device, const Problem& problem);

/// ACCUMULATOR and VALIDATE, as in cl/common/wide.cl, and KEPT: build options from the mode.
std::string mode_options(const Parameters& parameters, const kernels::Target& target);
/// The same with kernels::fence_options and FAR, as in cl/common/round_end.cl.
std::string round_options(const Parameters& parameters, const kernels::Target& target);
/// Why the accumulator is unsupported: two floats need a float matrix, others a device with double.
std::string refuse_accumulator(const kernels::Target& target);

/// A variant on sub-group lanes, with their parameters, rules and local memory.
kernels::Variant lane_step(std::string name, std::string summary);
/// A variant whose work-groups reduce by a tree.
kernels::Variant tree_step(std::string name, std::string summary);
/// "row_per_item": each work-item has its own rows.
kernels::Variant vector_rows(std::string summary);
/// A variant of independent work-items.
kernels::Variant item_step(std::string name, std::string summary);
/// The same with atomics on floats or doubles. Not `deterministic`: result bits vary between runs.
kernels::Variant with_atomics(kernels::Variant variant, bool deterministic);

}  // namespace tessera::inline v0::eigen
