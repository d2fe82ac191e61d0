// Problems from operations, types and sizes that were given, or that suit the device.
#include "commands/tune_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tessera/multiply.hpp>

#include "element_types.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

const OperationInfo& find(const std::string& operation) {
  std::vector<std::string> names;
  for (const OperationInfo& info : operations()) {
    if (info.name == operation) return info;
    names.push_back(info.name);
  }
  throw UsageError(
      fmt::format("no operation \"{}\"; there are: {}", operation, fmt::join(names, ", ")));
}

/// "1024x768x512" or "1024": sizes along rows, columns and, of multiply, the inner dimension.
void set_size(TuneProblem& problem, const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto size = integer(std::string_view(text).substr(begin, end - begin));
    if (!size || *size < 1)
      throw UsageError(fmt::format("--size {}: is not of the form ROWSxCOLUMNSxINNER", text));
    sizes.push_back(static_cast<std::size_t>(*size));
    begin = end + 1;
  }
  const std::size_t wanted = problem.operation == "multiply" ? 3 : 2;
  if (sizes.size() == 1) sizes.assign(wanted, sizes[0]);
  if (sizes.size() != wanted)
    throw UsageError(fmt::format("--size {}: {} takes {} sizes", text, problem.operation, wanted));
  problem.rows = sizes[0];
  problem.columns = sizes[1];
  if (wanted == 3) problem.k = sizes[2];
  if (problem.operation != "multiply" && problem.operation != "row_sum" &&
      problem.rows != problem.columns)
    throw UsageError(fmt::format("--size {}: {} takes a square matrix", text, problem.operation));
}

template <Element T>
double product_seconds(const Engine& engine, std::size_t n) {
  const Matrix<T> a(engine, n, n, std::vector<T>(n * n, static_cast<T>(1)));
  KernelRun ran = multiply(a, a).ran;
  ran = multiply(a, a).ran;
  return ran.seconds().value_or(0);
}

/// The smallest power of two that takes the default some milliseconds.
std::size_t product_size(const Engine& engine, ElementType type) {
  constexpr double kEnough = 4e-3;
  constexpr std::size_t kLeast = 512, kMax = 8192;
  std::size_t n = kLeast;
  for (; n < kMax; n *= 2) {
    if (with_type(type, [&](auto zero) { return product_seconds<decltype(zero)>(engine, n); }) >
        kEnough)
      break;
  }
  return n;
}

/// A matrix that no cache holds, and every device.
std::size_t matrix_size(const Engine& engine) {
  return engine.device().type == DeviceType::cpu ? 4096 : 8192;
}

}  // namespace

std::vector<PlannedProblem> plan_tuning(const Engine& engine, const TuneRequest& request) {
  std::vector<PlannedProblem> planned;
  const bool is_named = !request.operation.empty();
  const auto add = [&](const std::string& operation, ElementType type, double weight) {
    TuneProblem problem{.operation = operation,
                        .type = type,
                        .transpose_a = request.transpose_a,
                        .transpose_b = request.transpose_b};
    if (request.sizes.empty()) {
      const std::size_t n =
          operation == "multiply" ? product_size(engine, type) : matrix_size(engine);
      set_size(problem, std::to_string(n));
      planned.push_back({problem, weight});
    }
    for (const std::string& size : request.sizes) {
      set_size(problem, size);
      planned.push_back({problem, weight});
    }
  };
  std::vector<ElementType> types = {ElementType::float32};
  if (!request.dtype.empty()) {
    types = {element_type(request.dtype)};
  } else if (!is_named && engine.device().has_double) {
    types.push_back(ElementType::float64);
  }
  if (is_named) {
    const OperationInfo& operation = find(request.operation);
    if (operation.name != "multiply" && (request.transpose_a || request.transpose_b))
      throw UsageError(fmt::format("{} has no transposes", operation.name));
    for (const ElementType type : types) {
      if (std::ranges::find(operation.types, type) == operation.types.end())
        throw UsageError(fmt::format("{} is not for {}", operation.name, name(type)));
      add(operation.name, type, 1);
    }
    return planned;
  }
  if (!request.sizes.empty()) throw UsageError("--size needs the operation that it is for");
  // Small spaces first: the time that they leave goes to the products.
  for (const ElementType type : types) add("implicit_round", type, 1);
  for (const ElementType type : types) add("fused_round", type, 1);
  for (const ElementType type : types) add("multiply", type, 4);
  return planned;
}

double duration(const std::string& text) {
  std::string_view digits = text;
  double unit = 1;
  if (digits.ends_with('m')) unit = 60;
  if (digits.ends_with('m') || digits.ends_with('s')) digits.remove_suffix(1);
  const auto value = number(digits);
  if (!value || !(*value > 0) || *value > 1e6)
    throw UsageError(fmt::format("--budget {}: is no time such as 90s or 2m", text));
  return *value * unit;
}

}  // namespace tessera::tool
