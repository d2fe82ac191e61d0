// Problems from operations, types and sizes that were given, or that suit the device.
#include "commands/tune_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tessera/multiply.hpp>

#include "commands/device_memory.hpp"
#include "element_types.hpp"
#include "files/matrix_file.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// "1024x768x512" or "1024": sizes along rows, columns and, of multiply, the inner dimension.
void set_size(Problem& problem, const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto size = integer(std::string_view(text).substr(begin, end - begin));
    if (!size || *size < 1)
      throw UsageError(
          fmt::format("--size: invalid size {}; expected ROWSxCOLUMNSxK, or one number for all",
                      in_quotes(text)));
    sizes.push_back(static_cast<std::size_t>(*size));
    begin = end + 1;
  }
  const OperationInfo& operation = info_of(problem.operation);
  const bool is_product = operation.dimensions == Dimensions::product;
  const std::size_t wanted = is_product ? 3 : 2;
  if (sizes.size() == 1) sizes.assign(wanted, sizes[0]);
  if (sizes.size() != wanted)
    throw UsageError(fmt::format("--size {}: {} takes {} sizes", text, problem.operation, wanted));
  problem.m = sizes[0];
  const bool is_vector_product = operation.dimensions == Dimensions::vector_product;
  (is_vector_product ? problem.k : problem.n) = sizes[1];
  if (is_product) problem.k = sizes[2];
  if (operation.dimensions == Dimensions::square_matrix && problem.m != problem.n)
    throw UsageError(fmt::format("--size {}: {} takes a square matrix", text, problem.operation));
}

/// Device time of the second of two products of n x n matrices of ones.
double product_seconds(const Engine& engine, const ProductTypes& types, std::size_t n) {
  const AnyMatrix ones = Source(fmt::format("ones:{}x{}", n, n)).read(types.a);
  const detail::Operand a = detail::allocate(engine.stream(), types.a, n, n);
  upload(a, ones);
  detail::multiply(types.c, a, a, {});
  return detail::multiply(types.c, a, a, {}).ran.seconds().value_or(0);
}

/// The smallest power of two that takes the default some milliseconds.
std::size_t product_size(const Engine& engine, const ProductTypes& types) {
  constexpr double kEnough = 4e-3;
  constexpr std::size_t kMin = 512, kMax = 8192;
  std::size_t n = kMin;
  while (n < kMax && product_seconds(engine, types, n) <= kEnough) n *= 2;
  return n;
}

/// A matrix that no cache holds, and every device.
std::size_t matrix_size(const Engine& engine) {
  return engine.device().type == DeviceType::cpu ? 4096 : 8192;
}

/// The requested types; else float, and double too if the device has it and no operation is named.
std::vector<ProductTypes> types_of(const Engine& engine, const TuneRequest& request) {
  const auto [operands, result] = requested_types(request.dtype, request.out_dtype);
  if (operands || result) return {product_types(operands.value_or(ElementType::float32), result)};
  if (!request.operation.empty() || !engine.device().has_double) return {ElementType::float32};
  return {ElementType::float32, ElementType::float64};
}

/// The problems of one operation and type: of the sizes that were given, else of one that suits the
/// device.
std::vector<PlannedProblem> problems_of(const Engine& engine, const TuneRequest& request,
                                        const OperationInfo& operation, const ProductTypes& types,
                                        double weight) {
  Problem problem{.operation = operation.name,
                  .types = types,
                  .batch = request.batch,
                  .op_a = op_if(request.transpose_a),
                  .op_b = op_if(request.transpose_b)};
  auto sizes = request.sizes;
  if (sizes.empty()) {
    const bool is_product = operation.dimensions == Dimensions::product;
    sizes = {std::to_string(is_product ? product_size(engine, types) : matrix_size(engine))};
  }
  std::vector<PlannedProblem> problems;
  for (const std::string& size : sizes) {
    set_size(problem, size);
    problems.push_back({problem, weight});
  }
  return problems;
}

/// Throws UsageError for options that the operation does not have.
void check(const TuneRequest& request, const OperationInfo& operation) {
  if (!operation.transposes && (request.transpose_a || request.transpose_b))
    throw UsageError(fmt::format("{} has no transposes", operation.name));
  if (operation.dimensions == Dimensions::vector_product && request.transpose_b)
    throw UsageError(fmt::format("{} has no B to transpose", operation.name));
  if (!operation.batches && request.batch != 1)
    throw UsageError(fmt::format("{} has no batches", operation.name));
  if (request.sizes.empty() && request.batch != 1) throw UsageError("--batch needs --size");
}

std::vector<PlannedProblem> plan_operation(const Engine& engine, const TuneRequest& request) {
  const OperationInfo& operation = info_of(request.operation);
  check(request, operation);
  const ProductTypes types = types_of(engine, request).front();
  if (std::ranges::find(operation.types, types) == operation.types.end())
    throw UsageError(fmt::format("{} is not for {}", operation.name, to_string(types)));
  return problems_of(engine, request, operation, types, 1);
}

/// Small shares first: the time that they leave goes to the larger ones.
std::vector<const OperationInfo*> operations_by_share() {
  std::vector<const OperationInfo*> shares;
  for (const OperationInfo& operation : operations()) {
    if (operation.tuning_weight > 0) shares.push_back(&operation);
  }
  std::ranges::stable_sort(shares, {}, &OperationInfo::tuning_weight);
  return shares;
}

}  // namespace

std::vector<PlannedProblem> plan_tuning(const Engine& engine, const TuneRequest& request) {
  if (!request.operation.empty()) return plan_operation(engine, request);
  if (!request.sizes.empty()) throw UsageError("--size needs an OPERATION");
  if (request.batch != 1) throw UsageError("--batch needs an OPERATION");
  std::vector<PlannedProblem> planned;
  for (const OperationInfo* operation : operations_by_share()) {
    for (const ProductTypes& types : types_of(engine, request))
      std::ranges::move(problems_of(engine, request, *operation, types, operation->tuning_weight),
                        std::back_inserter(planned));
  }
  return planned;
}

double duration(const std::string& text) {
  std::string_view digits = text;
  double unit = 1;
  if (digits.ends_with('m')) unit = 60;
  if (digits.ends_with('m') || digits.ends_with('s')) digits.remove_suffix(1);
  const auto value = number(digits);
  if (!value || !(*value > 0) || *value > 1e6)
    throw UsageError(
        fmt::format("--budget: invalid duration {}; expected e.g. 90s or 2m", in_quotes(text)));
  return *value * unit;
}

}  // namespace tessera::tool
