// Conversion of public types to JSON, and back.
#include "kernels/json.hpp"

#include <fmt/format.h>

#include <string>

#include "operands/element.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace kernels {
namespace {

/// Adds a value that is not the default.
template <class T>
void add(Json& json, const char* key, const T& value, const T& standard) {
  if (value != standard) json[key] = value;
}

/// The enumerator whose name is stored under `key`; the default if the key is missing.
template <class Enum>
Enum named(const Json& json, const char* key, Enum standard) {
  const auto text = json.find(key);
  if (text == json.end()) return standard;
  if (const auto value = runtime::value_named<Enum>(text->get<std::string>())) return *value;
  throw Json::other_error::create(501, "no such value", nullptr);
}

ProductTypes types_of(const Json& json) {
  if (!json.contains("dtype")) throw Json::other_error::create(501, "no dtype", nullptr);
  const ElementType operands = named(json, "dtype", ElementType::float32);
  const ProductTypes types(operands, named(json, "out_dtype", ProductTypes(operands).c));
  if (!is_product(types)) throw Json::other_error::create(501, "no such result type", nullptr);
  return types;
}

/// A number, or [real, imaginary].
Json json_of(const Scalar& scalar) {
  if (scalar.imaginary() == 0) return scalar.real();
  return {scalar.real(), scalar.imaginary()};
}

/// The scalar under `key`; the default if the key is missing.
Scalar scalar_of(const Json& json, const char* key, const Scalar& standard) {
  const auto found = json.find(key);
  if (found == json.end()) return standard;
  if (!found->is_array()) return found->get<double>();
  return std::complex(found->at(0).get<double>(), found->at(1).get<double>());
}

Json json_of(const Strides& strides) { return {strides.a, strides.b, strides.c}; }

Strides strides_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return {};
  const auto stride = [&](std::size_t i) { return number<std::size_t>(found->at(i)); };
  return {stride(0), stride(1), stride(2)};
}

}  // namespace

Json json_of(const Problem& problem) {
  Json json = {{"op", problem.operation},
               {"dtype", to_string(problem.types.a)},
               {"m", problem.m},
               {"n", problem.n},
               {"k", problem.k}};
  const Problem standard;
  add(json, "out_dtype", to_string(problem.types.c), to_string(ProductTypes(problem.types.a).c));
  add(json, "op_a", to_string(problem.op_a), to_string(standard.op_a));
  add(json, "op_b", to_string(problem.op_b), to_string(standard.op_b));
  add(json, "batch", problem.batch, standard.batch);
  if (problem.leading_dimensions != Strides())
    json["leading_dimensions"] = json_of(problem.leading_dimensions);
  if (problem.batch_strides != Strides()) json["batch_strides"] = json_of(problem.batch_strides);
  if (problem.offsets != Strides()) json["offsets"] = json_of(problem.offsets);
  add(json, "alpha", json_of(problem.alpha), json_of(standard.alpha));
  add(json, "beta", json_of(problem.beta), json_of(standard.beta));
  add(json, "accuracy", to_string(problem.mode.accuracy), to_string(standard.mode.accuracy));
  add(json, "accumulator", to_string(problem.mode.accumulator),
      to_string(standard.mode.accumulator));
  add(json, "validate", problem.mode.validate, standard.mode.validate);
  return json;
}

Problem problem_of(const Json& json) {
  Problem problem{.operation = json.at("op"),
                  .types = types_of(json),
                  .m = number<std::size_t>(json.at("m")),
                  .n = number<std::size_t>(json.at("n")),
                  .k = number<std::size_t>(json.at("k")),
                  .op_a = named(json, "op_a", Op::none),
                  .op_b = named(json, "op_b", Op::none),
                  .leading_dimensions = strides_of(json, "leading_dimensions"),
                  .batch_strides = strides_of(json, "batch_strides"),
                  .offsets = strides_of(json, "offsets"),
                  .mode = {.accuracy = named(json, "accuracy", Accuracy::ieee),
                           .accumulator = named(json, "accumulator", Accumulator::automatic)}};
  read(json, "batch", problem.batch);
  problem.alpha = scalar_of(json, "alpha", problem.alpha);
  problem.beta = scalar_of(json, "beta", problem.beta);
  read(json, "validate", problem.mode.validate);
  return problem;
}

Op op_of(const Json& json, const char* key) { return named(json, key, Op::none); }

Json json_of(const KernelChoice& kernel) {
  return {{"variant", kernel.variant}, {"parameters", kernel.parameters}};
}

KernelChoice kernel_of(const Json& json) {
  KernelChoice kernel{json.at("variant"), {}};
  for (const auto& [name, value] : json.at("parameters").items())
    kernel.parameters[name] = number<int>(value);
  return kernel;
}

}  // namespace kernels

std::string to_json(const Problem& problem) {
  return runtime::with_schema(kernels::json_of(problem))
      .dump(-1, ' ', false, runtime::Json::error_handler_t::replace);
}

Problem problem_from_json(std::string_view text) {
  try {
    const runtime::Json json = runtime::parse(text);
    runtime::require_schema(json);
    return kernels::problem_of(json);
  } catch (const runtime::Json::exception& error) {
    throw ArgumentError(ErrorCode::invalid_json,
                        fmt::format("not a valid problem: {}", error.what()));
  }
}

}  // namespace tessera::inline v0
