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
Parameters preferred_group(const kernels::Target& target);
kernels::WorkGroup group_of(const Parameters& parameters);

/// Float and double are the types of the eigenpair.
std::vector<ElementType> real_types();
/// Why not another; empty for them.
std::string refuse_other_types(const kernels::Target& target);

/// Work-groups of the first of two passes over `length` elements: enough for the device, and few
/// enough for one work-group to take what they leave.
std::size_t first_pass_groups(const runtime::Submission& submission, std::size_t length,
                              const kernels::WorkGroup& group);

/// VECTOR and ITEMS_PER_CU of variants whose work-items have rows of their own.
kernels::Parameter vector_parameter();
int preferred_vector(const kernels::Target& target);
kernels::Parameter tasks_parameter();
/// Work-items for so many blocks of rows.
std::size_t row_tasks(const kernels::Plan& plan, const runtime::Submission& submission,
                      std::size_t blocks);
/// Of the two kinds of rows: CPUs like them by items, others by groups.
kernels::Preference by_rows(const DeviceCapabilities& device, const Problem& problem);

/// ACCUMULATOR and VALIDATE, as in cl/common/wide.cl: build options from the mode.
std::string mode_options(const Parameters& parameters, const kernels::Target& target);
/// Why there are no such sums: two floats are for float matrices, double for devices that have it.
std::string refuse_accumulator(const kernels::Target& target);

/// A variant on lanes: its parameters, rules and local memory are theirs.
kernels::Variant lane_stage(std::string name, std::string summary);
/// A variant whose work-groups add up by a tree.
kernels::Variant tree_stage(std::string name, std::string summary);
/// "row_per_item": work-items that have rows of their own.
kernels::Variant vector_rows(std::string summary);
/// A variant of independent work-items.
kernels::Variant item_stage(std::string name, std::string summary);
/// The same with atomics on floats or doubles: its sums are not the same bits on every run.
kernels::Variant with_atomics(kernels::Variant variant, bool deterministic);

}  // namespace tessera::inline v0::eigen
