// The table of multiply variants. A new one is a row here and its file in cl/multiply/.
#include "multiply/table.hpp"

#include <algorithm>
#include <vector>

#include "multiply/basic_variants.hpp"
#include "multiply/bulk_copy.hpp"
#include "multiply/check.hpp"
#include "multiply/direct.hpp"
#include "multiply/packed.hpp"
#include "multiply/register_tiled.hpp"
#include "multiply/tensor_core_double.hpp"
#include "multiply/tensor_core_half.hpp"
#include "multiply/tensor_core_hopper.hpp"
#include "multiply/workload.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

std::vector<MultiplyVariant> rows() {
  std::vector<MultiplyVariant> all = basic_variants();
  all.push_back(register_tiled());
  all.push_back(bulk_copy());
  all.push_back(tensor_core_double());
  all.push_back(tensor_core_half());
  all.push_back(tensor_core_hopper());
  all.push_back(packed());
  all.push_back(direct());
  return all;
}

double products(const Problem& problem) {
  return static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k);
}

/// True if packing the operands costs more than it saves: up to about 256 x 256 x 256 on two cores
/// with AVX-512, or 200 x 200 x 200 if B's rows do not start at whole vectors, and never if
/// `direct` would copy B's last columns again for each tile.
bool is_small(const Problem& problem) {
  constexpr std::size_t kDepth = 256;
  const double limit = problem.n % 16 == 0 ? 0x1p24 : 0x1p23;
  return problem.k <= kDepth && products(problem) <= limit;
}

/// Has the device room for the operands and, beside them, their packed copies?
bool has_room_to_pack(const DeviceCapabilities& device, const Problem& problem) {
  constexpr double kPadded = 1.1, kShare = 0.9;
  const auto bytes = [&](std::size_t rows, std::size_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(operands::number_size(problem.type));
  };
  const double a = bytes(problem.m, problem.k), b = bytes(problem.k, problem.n),
               c = bytes(problem.m, problem.n);
  return kPadded * std::max(a, b) <= static_cast<double>(device.max_allocation) &&
         static_cast<double>(problem.batch) * (a + b + c) + kPadded * (a + b) <=
             kShare * static_cast<double>(device.global_memory);
}

/// On an H200, tensor maps pay from about 200 x 200 x 200, and from 512 x 512 x 512 where they are
/// made for one product of a batch after another; splitting floats into halves from
/// 1024 x 1024 x 1024.
kernels::Preference gpu_preference(const DeviceCapabilities& device, const Problem& problem) {
  const double work = products(problem);
  if (!device.has_tensor_maps || work < (problem.batch == 1 ? 0x1p23 : 0x1p27) ||
      !has_room_to_pack(device, problem))
    return {"register_tiled", "naive"};
  if (problem.type == ElementType::float64)
    return {"tensor_core_double", "register_tiled", "naive"};
  if (problem.type == ElementType::float16 && device.has_wgmma)
    return {"tensor_core_half", "register_tiled", "naive"};
  const kernels::Preferred by_bulk_copies{"bulk_copy", bulk_copy_parameters(problem)};
  if (problem.type == ElementType::float32 && problem.mode.accuracy == Accuracy::bounded &&
      work >= 0x1p30 && device.has_wgmma)
    return {"tensor_core_hopper", by_bulk_copies, "register_tiled", "naive"};
  return {by_bulk_copies, "register_tiled", "naive"};
}

kernels::Preference preference(const DeviceCapabilities& device, const Problem& problem) {
  if (device.type != DeviceType::cpu) return gpu_preference(device, problem);
  if (is_small(problem)) return {"direct", "packed", "naive"};
  return {"packed", "naive"};
}

kernels::Operation operation() {
  return {.name = "multiply",
          .dimensions = Dimensions::product,
          .types = {ElementType::float32, ElementType::float64, ElementType::int32,
                    ElementType::float16},
          .transposes = true,
          .batches = true,
          .limited_by_memory = false,
          .tuning_weight = 4,
          .preference = preference,
          .work = multiply_work,
          .check_cases = multiply_cases,
          .final_cases = final_multiply_cases,
          .check = check_multiply,
          .workload = make_multiply_workload};
}

}  // namespace

const kernels::Table<Call>& multiply_table() {
  static const kernels::Table<Call> table(operation(), rows());
  return table;
}

}  // namespace tessera::inline v0::multiplication
