// The register_tiled variant: blocks of C in the registers of work-items, tiles in local memory.
#include "multiply/gpu/register_tiled.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "multiply/enqueue.hpp"
#include "multiply/product_types.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

std::size_t items(const Parameters& p) {
  return size(p, "TILE_M") / size(p, "WORK_M") * (size(p, "TILE_N") / size(p, "WORK_N"));
}

/// Numbers of A's and of B's tile that each work-item fetches.
std::size_t pieces_of_a(const Parameters& p) {
  return divide_up(size(p, "TILE_M") * size(p, "TILE_K"), items(p));
}
std::size_t pieces_of_b(const Parameters& p) {
  return divide_up(size(p, "TILE_N") * size(p, "TILE_K"), items(p));
}

/// AMD's compiler spills registers of RDNA for 64 sums of doubles:
/// tests/lanes/compile_elsewhere.sh.
Parameters preferred(const Target& target) {
  const bool few_sums = element_size(target.types.sum) == 8 &&
                        target.device().find(LaneExchange::nvidia_ptx) == nullptr;
  return {
      {"TILE_M", 128},   {"TILE_N", 64}, {"TILE_K", 8}, {"WORK_M", 8}, {"WORK_N", few_sums ? 4 : 8},
      {"CONTIGUOUS", 4}, {"WARP_N", 8},  {"VECTOR", 1}, {"PAD", 4},    {"STAGES", 3},
      {"UNROLL", 8},     {"SWIZZLE", 1}};
}

std::vector<kernels::Parameter> parameters() {
  return {{"TILE_M", "rows of C of a work-group", {32, 64, 128, 256}},
          {"TILE_N", "columns of C of a work-group", {32, 64, 128, 256}},
          {"TILE_K", "depth of a tile", {4, 8, 16, 32}},
          {"WORK_M", "rows of C of a work-item", {4, 8, 16}},
          {"WORK_N", "columns of C of a work-item", {4, 8, 16}},
          {"CONTIGUOUS", "rows, and columns, of a work-item beside each other", {4, 8}},
          {"WARP_N", "columns of the bands in which work-items are counted", {4, 8, 16}},
          {"VECTOR", "numbers moved at once", {1, 2, 4}},
          {"PAD", "numbers between rows of a tile in local memory", {0, 4}},
          {"STAGES",
           "1: a tile is fetched when needed; 2: the next one early, into registers; 3: and into a "
           "second block of local memory",
           {1, 2, 3}},
          {"UNROLL", "steps along a tile without a branch", {4, 8, 16, 32}},
          {"SWIZZLE", "rows of work-groups that are taken together", {1, 4, 8}}};
}

/// 32-bit registers for a work-item's numbers: accumulators, one row's fragments of A and B, and
/// prefetched pieces.
std::size_t registers(const Parameters& p, const Target& target) {
  return (size(p, "WORK_M") * size(p, "WORK_N") + size(p, "WORK_M") + size(p, "WORK_N") +
          pieces_of_a(p) + pieces_of_b(p)) *
         element_size(target.types.sum) / 4;
}

std::size_t local_bytes(const Parameters& p, const Target& target) {
  return (p.at("STAGES") == 3 ? 2 : 1) * size(p, "TILE_K") *
         (size(p, "TILE_M") + size(p, "TILE_N") + 2 * size(p, "PAD")) *
         element_size(target.types.sum);
}

const std::vector<std::string> kTile = {"TILE_M", "TILE_N", "TILE_K", "WORK_M", "WORK_N"};

/// Required by the kernel.
std::vector<Rule> validity_rules() {
  return {
      {.text = "CONTIGUOUS divides WORK_M and WORK_N",
       .holds =
           [](const Parameters& p, const Target&) {
             return p.at("WORK_M") % p.at("CONTIGUOUS") == 0 &&
                    p.at("WORK_N") % p.at("CONTIGUOUS") == 0;
           },
       .depends_on = {"WORK_M", "WORK_N", "CONTIGUOUS"}},
      {.text = "WARP_N divides TILE_N / WORK_N",
       .holds = [](const Parameters& p,
                   const Target&) { return p.at("TILE_N") / p.at("WORK_N") % p.at("WARP_N") == 0; },
       .depends_on = {"TILE_N", "WORK_N", "WARP_N"}},
      {.text = "VECTOR divides CONTIGUOUS",
       .holds = [](const Parameters& p,
                   const Target&) { return p.at("CONTIGUOUS") % p.at("VECTOR") == 0; },
       .depends_on = {"CONTIGUOUS", "VECTOR"}},
      {.text = "VECTOR * TILE_M / WORK_M * TILE_N / WORK_N divides TILE_M * TILE_K and TILE_N * "
               "TILE_K",
       .holds =
           [](const Parameters& p, const Target&) {
             const std::size_t step = size(p, "VECTOR") * items(p);
             return size(p, "TILE_M") * size(p, "TILE_K") % step == 0 &&
                    size(p, "TILE_N") * size(p, "TILE_K") % step == 0;
           },
       .depends_on = {"TILE_M", "TILE_N", "TILE_K", "WORK_M", "WORK_N", "VECTOR"}},
      {.text = "UNROLL divides TILE_K, and is TILE_K on a CPU",
       .holds =
           [](const Parameters& p, const Target& target) {
             return target.device().type == DeviceType::cpu ? p.at("UNROLL") == p.at("TILE_K")
                                                            : p.at("TILE_K") % p.at("UNROLL") == 0;
           },
       .depends_on = {"TILE_K", "UNROLL"}}};
}

/// Configurations outside these are not worth a trial.
std::vector<Rule> pruning_rules() {
  return {{.text = "a work-group has 32 to 1024 work-items",
           .holds = [](const Parameters& p,
                       const Target&) { return items(p) >= 32 && items(p) <= 1024; },
           .depends_on = {"TILE_M", "TILE_N", "WORK_M", "WORK_N"}},
          {.text = "a work-item fetches at most 16 numbers of a tile",
           .holds = [](const Parameters& p,
                       const Target&) { return std::max(pieces_of_a(p), pieces_of_b(p)) <= 16; },
           .depends_on = kTile},
          {.text = "a work-item's numbers take at most 208 registers of 32 bits",
           .holds = [](const Parameters& p,
                       const Target& target) { return registers(p, target) <= 208; },
           .depends_on = kTile},
          {.text = "a work-group's registers are 65536 at most",
           .holds =
               [](const Parameters& p, const Target& target) {
                 constexpr std::size_t kOthers = 24;  // addresses, sizes
                 return (registers(p, target) + kOthers) * items(p) <= 65536;
               },
           .depends_on = kTile},
          {.text = "VECTOR is 1, or of 16 bytes",
           .holds =
               [](const Parameters& p, const Target& target) {
                 return p.at("VECTOR") == 1 ||
                        size(p, "VECTOR") * element_size(target.types.sum) == 16;
               },
           .depends_on = {"VECTOR"}},
          {.text = "UNROLL is at least 8 where TILE_K is",
           .holds = [](const Parameters& p,
                       const Target&) { return p.at("UNROLL") >= std::min(p.at("TILE_K"), 8); },
           .depends_on = {"TILE_K", "UNROLL"}},
          {.text = "UNROLL * WORK_M * WORK_N is at most 1024",
           .holds =
               [](const Parameters& p, const Target&) {
                 return size(p, "UNROLL") * size(p, "WORK_M") * size(p, "WORK_N") <= 1024;
               },
           .depends_on = {"WORK_M", "WORK_N", "UNROLL"}}};
}

std::vector<Rule> rules() {
  std::vector<Rule> all = validity_rules();
  std::ranges::move(pruning_rules(), std::back_inserter(all));
  return all;
}

}  // namespace

MultiplyVariant register_tiled() {
  return {.kernel =
              {.name = "register_tiled",
               .summary =
                   "for GPUs: tiles in local memory, a block of C in the registers of a work-item",
               .types = real_types(),
               .parameters = parameters(),
               .preferred = preferred,
               .rules = rules(),
               .work_group =
                   [](const Parameters& p) {
                     return WorkGroup{items(p), 1};
                   },
               .local_bytes = local_bytes},
          .enqueue = [](const Plan& plan, const Call& call, Submission& submission) {
            enqueue_blocks(plan, call, submission, {plan.size("TILE_M"), plan.size("TILE_N")});
          }};
}

}  // namespace tessera::inline v0::multiplication
