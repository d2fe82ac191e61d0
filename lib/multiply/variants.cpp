// The table of multiply variants. A new one is a row here and its file in cl/multiply/.
#include "multiply/variants.hpp"

#include <algorithm>
#include <vector>

#include "multiply/enqueue.hpp"
#include "multiply/ladder.hpp"

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

/// Tiles that fill the vector registers: 32 of 64 bytes, or 16 of 32 bytes and less.
Parameters preferred_panels(const Target& target) {
  const std::size_t bytes = std::size_t{4} * target.device().simd_width;
  const int vector =
      static_cast<int>(std::clamp<std::size_t>(bytes / number_size(target.type), 4, 16));
  return {{"ROWS", bytes >= 64 ? 12 : 6},
          {"VECTOR", vector},
          {"VECTORS", 2},
          {"BLOCK_ROWS", 96},
          {"DEPTH", 256},
          {"TASKS", 2}};
}

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

MultiplyVariant packed() {
  return {
      .kernel = {.name = "packed",
                 .summary =
                     "for CPUs: operands packed into panels, a tile of C in vector registers",
                 .common = {"element.cl", "product.cl"},
                 .parameters = {{"ROWS", "rows of a tile", {4, 6, 8, 12}},
                                {"VECTOR", "numbers of a vector", {4, 8, 16}},
                                {"VECTORS", "vectors in a row of a tile", {1, 2, 3}},
                                {"BLOCK_ROWS", "rows of a packed block of A", {48, 96, 192}, true},
                                {"DEPTH", "depth of a packed block", {128, 256, 512}, true},
                                {"TASKS", "work-items for each compute unit", {1, 2, 4}, true}},
                 .preferred = preferred_panels},
      .enqueue = enqueue_packed};
}

std::vector<MultiplyVariant> rows() {
  std::vector<MultiplyVariant> all = ladder();
  all.push_back(register_tiled());
  all.push_back(packed());
  return all;
}

std::vector<std::string> preference(const DeviceInfo& device) {
  return {device.type == DeviceType::cpu ? "packed" : "register_tiled", "naive"};
}

}  // namespace

const kernels::Table<Problem>& multiply_table() {
  static const kernels::Table<Problem> table(
      "multiply",
      {ElementType::float32, ElementType::float64, ElementType::int32, ElementType::float16},
      rows(), preference);
  return table;
}

}  // namespace tessera::inline v0::multiplication
