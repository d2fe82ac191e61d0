// The table of matrix_vector, and its use for products with one row or column.
#include "multiply/vector_table.hpp"

#include <algorithm>
#include <utility>

#include "multiply/check.hpp"
#include "multiply/product_types.hpp"
#include "multiply/vector_variants.hpp"
#include "multiply/workload.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

kernels::Preference preference(const DeviceCapabilities& device, const Problem& problem) {
  if (device.type == DeviceType::cpu) return {"per_item", "per_group"};
  constexpr std::size_t kDeep = 512;
  if (!is_transposed(problem.op_a) || problem.m == 1 || problem.k < kDeep)
    return {"per_group", "per_item"};
  // A by columns has large work-groups with few rows each: most matrices need no split of k.
  constexpr int kVectorBytes = 16;
  const int vector =
      kVectorBytes / static_cast<int>(element_size(operands::part_type(problem.types.a)));
  return {{"per_group", {{"LOCAL_SIZE", 512}, {"VECTOR", vector}, {"UNROLL", 8}}}, "per_item"};
}

operands::Operand transposed(operands::Operand operand) {
  std::swap(operand.at.row, operand.at.column);
  return operand;
}

}  // namespace

const kernels::Table<Call>& matrix_vector_table() {
  static const kernels::Table<Call> table({.name = "matrix_vector",
                                           .dimensions = Dimensions::vector_product,
                                           .types = uniform_types(),
                                           .transposes = true,
                                           .tuning_weight = 1,
                                           .preference = preference,
                                           .work = multiply_work,
                                           .check_cases = matrix_vector_cases,
                                           .final_cases = final_matrix_vector_cases,
                                           .first_cases = first_matrix_vector_cases,
                                           .check = check_matrix_vector,
                                           .workload = make_matrix_vector_workload,
                                           .workload_matrices = product_matrices},
                                          matrix_vector_variants());
  return table;
}

std::optional<Call> as_matrix_vector(const Call& call) {
  if (call.batch() != 1 || (call.shape.m != 1 && call.shape.n != 1)) return std::nullopt;
  const auto& types = matrix_vector_table().operation().types;
  if (std::ranges::find(types, call.types()) == types.end()) return std::nullopt;
  Call vector = call;
  vector.problem.operation = matrix_vector_table().operation().name;
  vector.problem.op_b = op_if(false, is_conjugated(call.problem.op_b));
  vector.problem.batch_strides = {};
  if (call.shape.n == 1) return vector;
  // A one-row product c = a * b is computed as c^T = b^T * a^T.
  const Strides& strides = call.problem.leading_dimensions;
  vector.problem.m = vector.shape.m = call.shape.n;
  vector.problem.n = vector.shape.n = 1;
  vector.problem.op_a = op_if(!is_transposed(call.problem.op_b), is_conjugated(call.problem.op_b));
  vector.problem.op_b = op_if(false, is_conjugated(call.problem.op_a));
  vector.problem.leading_dimensions = {strides.b, strides.a, strides.c};
  vector.a = transposed(call.b);
  vector.b = transposed(call.a);
  vector.c = transposed(call.c);
  return vector;
}

}  // namespace tessera::inline v0::multiplication
