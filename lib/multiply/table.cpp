// The table of multiply variants. A new one is a row here and its file in cl/multiply/.
#include "multiply/table.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "multiply/basic_variants.hpp"
#include "multiply/check.hpp"
#include "multiply/cpu/direct.hpp"
#include "multiply/cpu/packed.hpp"
#include "multiply/gpu/choice.hpp"
#include "multiply/gpu/register_tiled.hpp"
#include "multiply/gpu/sliced_k.hpp"
#include "multiply/nvidia/bulk_copy.hpp"
#include "multiply/nvidia/sliced_k_double.hpp"
#include "multiply/nvidia/split_halves.hpp"
#include "multiply/nvidia/tensor_core.hpp"
#include "multiply/nvidia/tensor_core_double.hpp"
#include "multiply/nvidia/tensor_core_residues.hpp"
#include "multiply/nvidia/wide_blocks.hpp"
#include "multiply/product_types.hpp"
#include "multiply/workload.hpp"

namespace tessera::inline v0::multiplication {
namespace {

std::vector<MultiplyVariant> rows() {
  std::vector<MultiplyVariant> all = basic_variants();
  all.push_back(register_tiled());
  all.push_back(sliced_k());
  all.push_back(sliced_k_double());
  all.push_back(bulk_copy());
  all.push_back(tensor_core());
  all.push_back(tensor_core_double());
  all.push_back(tensor_core_half());
  all.push_back(tensor_core_int8());
  all.push_back(tensor_core_int32());
  all.push_back(mma_int8());
  all.push_back(tensor_core_hopper());
  all.push_back(mma_halves());
  all.push_back(tensor_core_residues());
  all.push_back(mma_residues());
  all.push_back(packed());
  all.push_back(direct());
  return all;
}

double products(const Problem& problem) {
  return static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k);
}

/// True if packing the operands costs more than it saves, measured on two cores with AVX-512: up to
/// 384 x 384 x 384 if B is whole tiles of numbers of 4 bytes, otherwise 256 x 256 x 256, and never
/// if `direct` would copy B's last columns again for each tile. Of four products and more, up to
/// 100 x 100 x 100, of doubles up to 50 x 50 x 50. Never elements of 16 bits: `direct` widens A
/// again for each tile, and took 1.1 to 1.8 times as long. Nor complex elements, which it does not
/// compute.
bool is_small(const Problem& problem) {
  constexpr std::size_t kCopiedOnce = 1024, kTile = 32, kBatch = 4, kDeep = 384;
  if (has_16_bits(problem.types.a) || is_complex(problem.types.a)) return false;
  const bool is_wide = element_size(problem.types.sum) > 4;
  const double number = products(problem);
  if (problem.batch >= kBatch)
    return problem.k <= kCopiedOnce && number <= (is_wide ? 0x1p17 : 0x1p20);
  if (!is_wide && problem.n % kTile == 0 && problem.k <= kDeep)
    return number <= double{kDeep} * kDeep * kDeep;
  return problem.k <= kCopiedOnce && number <= 0x1p24;
}

kernels::Preference preference(const DeviceCapabilities& device, const Problem& problem) {
  if (device.type == DeviceType::cpu) {
    if (is_small(problem)) return {"direct", "packed", "naive"};
    return {"packed", "naive"};
  }
  if (!is_complex(problem.types.a)) return gpu_preference(device, problem);
  const auto best = complex_kernel(device, problem);
  if (best) return {*best, "tiled_static", "naive"};
  return {"tiled_static", "naive"};
}

kernels::Operation operation() {
  return {.name = "multiply",
          .dimensions = Dimensions::product,
          .types = all_product_types(),
          .transposes = true,
          .batches = true,
          .limited_by_memory = false,
          .tuning_weight = 4,
          .preference = preference,
          .work = multiply_work,
          .check_cases = multiply_cases,
          .final_cases = final_multiply_cases,
          .first_cases = first_multiply_cases,
          .check = check_multiply,
          .workload = make_multiply_workload,
          .workload_matrices = product_matrices};
}

}  // namespace

const kernels::Table<Call>& multiply_table() {
  static const kernels::Table<Call> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::multiplication
