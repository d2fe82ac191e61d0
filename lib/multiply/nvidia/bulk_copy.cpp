// The bulk_copy variant: tiles of the operands by tensor maps.
#include "multiply/nvidia/bulk_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/fence_options.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/nvidia/mapped.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"
#include "runtime/capabilities.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

/// CONTIGUOUS of the kernel.
std::size_t contiguous_of(ElementType type) {
  return has_16_bits(type) || is_complex(type) ? 2 : 4;
}

std::size_t items(const Parameters& p) {
  return size(p, "TILE_M") / size(p, "WORK_M") * (size(p, "TILE_N") / size(p, "WORK_N"));
}

/// The operands that are contiguous along k, which the kernel transposes, and the numbers of an
/// element. Complex operands are copied into the order of untransposed ones.
struct Turned {
  bool a, b;
  std::size_t parts = 1;
  bool any() const { return a || b; }
};

/// Accepts a Problem or a Target.
template <class Transposed>
Turned turned(const Transposed& problem) {
  if (is_complex(problem.types.a)) return {true, false, operands::parts_of(problem.types.a)};
  return {!is_transposed(problem.op_a), is_transposed(problem.op_b)};
}

/// Local memory of a work-group, except barriers and drafts of maps: the stages, two buffers for
/// each operand that is rewritten, and EXCHANGED of the kernel.
std::size_t local_bytes(const Parameters& p, Turned turned) {
  constexpr std::size_t kNumber = 4;
  const std::size_t m = size(p, "TILE_M"), n = size(p, "TILE_N") / turned.parts,
                    rewritten = (turned.a ? m : 0) + (turned.b || turned.parts == 2 ? n : 0),
                    deep = size(p, "STAGES") * (m + n) + 2 * rewritten, exchanged = 4 * items(p);
  return (deep * size(p, "TILE_K") + exchanged) * kNumber;
}

/// Work-groups that a compute unit runs at a time: as many as its registers and its local memory
/// have room for.
std::size_t resident(const Parameters& p, Turned turned, std::size_t local_memory) {
  constexpr std::size_t kRegisters = 65536, kMax = 255, kOthers = std::size_t{2} << 10;
  const std::size_t sums = size(p, "WORK_M") * size(p, "WORK_N"),
                    registers = std::min(2 * sums + 64, kMax + 1);
  return std::max<std::size_t>(std::min(local_memory / (local_bytes(p, turned) + kOthers),
                                        kRegisters / (registers * items(p))),
                               1);
}

void enqueue_bulk_copy(const Plan& plan, const Call& call, Submission& submission) {
  const std::size_t group = items(plan.parameters);
  const Turned along_k = turned(call.problem);
  // A compute unit has 3 KiB more than the largest work-group that leaves room for barriers.
  const std::size_t local_memory =
      runtime::capabilities(submission.stream()).tensor_map_memory + (std::size_t{3} << 10);
  enqueue_mapped(plan, call, submission,
                 {.a_along_k = along_k.a,
                  .b_along_k = along_k.b,
                  .tiles = {.m = plan.size("TILE_M"),
                            .n = plan.size("TILE_N"),
                            .k = plan.size("TILE_K"),
                            .number = sizeof(float),
                            .resident = resident(plan.parameters, along_k, local_memory),
                            .min_saved_of_full = bulk_copy_steps_of_joining(plan.size("TILE_K"))},
                  .summers = group,
                  .run = contiguous_of(call.types().a),
                  .parts = along_k.parts});
}

std::vector<kernels::Parameter> parameters() {
  return {{"TILE_M", "rows of C of a work-group", {32, 64, 128, 256}},
          {"TILE_N", "columns of C of a work-group", {32, 64, 128, 256}},
          {"WORK_M", "rows of C of a work-item", {4, 8}},
          {"WORK_N", "columns of C of a work-item", {8, 16}},
          {"TILE_K", "depth of a stage", {8, 16, 32}},
          {"STAGES", "stages in flight", {2, 3, 4}},
          {"SWIZZLE", "rows of work-groups that are taken together", {4, 8, 16}}};
}

Parameters preferred(const Target& target) {
  return {{"TILE_M", 128},
          {"TILE_N", 128},
          {"WORK_M", 8},
          {"WORK_N", 16},
          {"TILE_K", static_cast<int>(bulk_copy_depth(turned(target).any()))},
          {"STAGES", 3},
          {"SWIZZLE", 8}};
}

std::vector<kernels::Rule> rules() {
  return {
      stages_fit(
          [](const Parameters& p) {
            return local_bytes(p, {true, true});
          },
          {"TILE_M", "TILE_N", "WORK_M", "WORK_N", "TILE_K", "STAGES"}),
      {.text =
           "TILE_K is at most 16 where an operand is turned: A as it is, B transposed, or complex",
       .holds = [](const Parameters& p,
                   const Target& target) { return p.at("TILE_K") <= 16 || !turned(target).any(); },
       .depends_on = {"TILE_K"}},
      {.text = "TILE_M is a multiple of 8 WORK_M, TILE_N of 4 WORK_N",
       .holds =
           [](const Parameters& p, const Target&) {
             return p.at("TILE_M") % (8 * p.at("WORK_M")) == 0 &&
                    p.at("TILE_N") % (4 * p.at("WORK_N")) == 0;
           },
       .depends_on = {"TILE_M", "TILE_N", "WORK_M", "WORK_N"}},
      {.text = "a work-group has at most 256 work-items",
       .holds = [](const Parameters& p, const Target&) { return items(p) <= 256; },
       .depends_on = {"TILE_M", "TILE_N", "WORK_M", "WORK_N"}}};
}

/// Other kernels multiply double, complex128 and int8.
std::vector<ProductTypes> types_of_4_byte_numbers() {
  auto types = types_of_16_bits();
  types.insert(types.end(), {ElementType::float32, ElementType::int32, ElementType::complex64});
  return types;
}

std::string options(const Parameters&, const Target& target) {
  // With more old numbers of C at once, sums are spilled also in the loop that adds them: floats
  // were 15 % slower, and complex64 1 %.
  const int old_at_once = is_complex(target.types.a) ? 16 : 32;
  return fmt::format(
      " -D A_ALONG_K={:d} -D B_ALONG_K={:d} -D SUM=number -D CONTIGUOUS={} -D CONVERT=1 "
      "-D OLD_AT_ONCE={}{}",
      turned(target).a, turned(target).b, contiguous_of(target.types.a), old_at_once,
      kernels::fence_options(target.device()));
}

}  // namespace

std::size_t bulk_copy_depth(bool turns) { return turns ? 16 : 32; }

std::size_t bulk_copy_steps_of_joining(std::size_t depth) {
  constexpr std::size_t kDepth = 192;
  return kDepth / depth;
}

MultiplyVariant bulk_copy() {
  return {.kernel = {.name = "bulk_copy",
                     .summary =
                         "for NVIDIA, from Hopper on: copies tiles of the stored operands in the "
                         "background",
                     .types = types_of_4_byte_numbers(),
                     .parameters = parameters(),
                     .preferred = preferred,
                     .rules = rules(),
                     .work_group =
                         [](const Parameters& p) {
                           return kernels::WorkGroup{items(p), 1};
                         },
                     .unsupported_reason = no_tensor_maps,
                     .options = options},
          .enqueue = enqueue_bulk_copy};
}

}  // namespace tessera::inline v0::multiplication
