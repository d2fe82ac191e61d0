// Values of the public interface to JSON, and back.
#include "kernels/json.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tessera::inline v0::kernels {
namespace {

constexpr std::array kTypes = {ElementType::float32, ElementType::float64, ElementType::int32,
                               ElementType::float16};

ElementType type_named(const std::string& text) {
  const auto type = std::ranges::find(kTypes, text, [](ElementType t) { return name(t); });
  if (type == kTypes.end()) throw Json::other_error::create(501, "no type of elements", nullptr);
  return *type;
}

}  // namespace

Json json_of(const TuneProblem& problem) {
  return {{"op", problem.operation},
          {"dtype", name(problem.type)},
          {"m", problem.rows},
          {"n", problem.columns},
          {"k", problem.k},
          {"transpose_a", problem.transpose_a},
          {"transpose_b", problem.transpose_b}};
}

TuneProblem problem_of(const Json& json) {
  return {.operation = json.at("op"),
          .type = type_named(json.at("dtype")),
          .rows = json.at("m"),
          .columns = json.at("n"),
          .k = json.at("k"),
          .transpose_a = json.value("transpose_a", false),
          .transpose_b = json.value("transpose_b", false)};
}

Json json_of(const KernelChoice& kernel) {
  return {{"variant", kernel.variant}, {"parameters", kernel.parameters}};
}

KernelChoice kernel_of(const Json& json) {
  return {json.at("variant"), json.at("parameters").get<Parameters>()};
}

}  // namespace tessera::inline v0::kernels
