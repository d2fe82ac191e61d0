// The register_tiled variant: blocks of C in the registers of work-items, tiles in local memory.
#include "multiply/register_tiled.hpp"

#include <vector>

#include "multiply/enqueue.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::number_size;
using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

// Blocks of C in the registers of work-items.
std::size_t register_items(const Parameters& p) {
  return size(p, "TILE_M") / size(p, "WORK_M") * (size(p, "TILE_N") / size(p, "WORK_N"));
}

Parameters preferred_registers(const Target&) {
  return {{"TILE_M", 128}, {"TILE_N", 64}, {"TILE_K", 8}, {"WORK_M", 8}, {"WORK_N", 8}};
}

std::size_t register_bytes(const Parameters& p, const Target& target) {
  constexpr std::size_t kPad = 4;  // as in the kernel
  return 2 * size(p, "TILE_K") * (size(p, "TILE_M") + size(p, "TILE_N") + 2 * kPad) *
         number_size(target.type);
}

std::vector<Rule> register_rules() {
  return {{"TILE_M / WORK_M * TILE_N / WORK_N divides TILE_M * TILE_K",
           [](const Parameters& p, const Target&) {
             return size(p, "TILE_M") * size(p, "TILE_K") % register_items(p) == 0;
           }},
          {"TILE_M / WORK_M * TILE_N / WORK_N divides TILE_N * TILE_K",
           [](const Parameters& p, const Target&) {
             return size(p, "TILE_N") * size(p, "TILE_K") % register_items(p) == 0;
           }}};
}

}  // namespace

MultiplyVariant register_tiled() {
  return {.kernel =
              {.name = "register_tiled",
               .summary =
                   "for GPUs: tiles in local memory, a block of C in the registers of a work-item",
               .common = {"element.cl", "product.cl"},
               .parameters = {{"TILE_M", "rows of C of a work-group", {32, 64, 128}},
                              {"TILE_N", "columns of C of a work-group", {32, 64, 128}},
                              {"TILE_K", "depth of a tile", {8, 16}},
                              {"WORK_M", "rows of C of a work-item", {4, 8}},
                              {"WORK_N", "columns of C of a work-item", {4, 8}}},
               .preferred = preferred_registers,
               .rules = register_rules(),
               .work_group =
                   [](const Parameters& p) {
                     return WorkGroup{register_items(p), 1};
                   },
               .local_bytes = register_bytes},
          .enqueue = [](const Plan& plan, const Problem& problem, Submission& submission) {
            enqueue_blocks(plan, problem, submission, {plan.size("TILE_M"), plan.size("TILE_N")});
          }};
}

}  // namespace tessera::inline v0::multiplication
