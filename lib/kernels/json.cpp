// Conversion of public types to JSON, and back.
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

/// Adds a value that is not the default.
template <class T>
void add(Json& json, const char* key, const T& value, const T& standard) {
  if (value != standard) json[key] = value;
}

constexpr std::array kAccuracies = {Accuracy::ieee, Accuracy::bounded};
constexpr std::array kAccumulators = {Accumulator::automatic, Accumulator::two_floats,
                                      Accumulator::float64, Accumulator::compensated};

/// The enumerator whose name is stored under `key`; the first if the key is missing.
template <class Values>
auto named(const Json& json, const char* key, const Values& values) {
  const auto text = json.find(key);
  if (text == json.end()) return values.front();
  const auto value =
      std::ranges::find(values, text->get<std::string>(), [](auto v) { return name(v); });
  if (value == values.end()) throw Json::other_error::create(501, "no such value", nullptr);
  return *value;
}

Json json_of(const Strides& strides) { return {strides.a, strides.b, strides.c}; }

Strides strides_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return {};
  return {found->at(0), found->at(1), found->at(2)};
}

}  // namespace

Json json_of(const Problem& problem) {
  Json json = {{"op", problem.operation},
               {"dtype", name(problem.type)},
               {"m", problem.m},
               {"n", problem.n},
               {"k", problem.k},
               {"transpose_a", problem.transpose_a},
               {"transpose_b", problem.transpose_b}};
  const Problem standard;
  add(json, "batch", problem.batch, standard.batch);
  if (problem.leading_dimensions != Strides())
    json["leading_dimensions"] = json_of(problem.leading_dimensions);
  if (problem.batch_strides != Strides()) json["batch_strides"] = json_of(problem.batch_strides);
  add(json, "alpha", problem.alpha, standard.alpha);
  add(json, "beta", problem.beta, standard.beta);
  add(json, "accuracy", name(problem.mode.accuracy), name(standard.mode.accuracy));
  add(json, "accumulator", name(problem.mode.accumulator), name(standard.mode.accumulator));
  add(json, "validate", problem.mode.validate, standard.mode.validate);
  return json;
}

Problem problem_of(const Json& json) {
  return {.operation = json.at("op"),
          .type = type_named(json.at("dtype")),
          .m = json.at("m"),
          .n = json.at("n"),
          .k = json.at("k"),
          .batch = json.value("batch", std::size_t{1}),
          .transpose_a = json.value("transpose_a", false),
          .transpose_b = json.value("transpose_b", false),
          .leading_dimensions = strides_of(json, "leading_dimensions"),
          .batch_strides = strides_of(json, "batch_strides"),
          .alpha = json.value("alpha", 1.0),
          .beta = json.value("beta", 0.0),
          .mode = {.accuracy = named(json, "accuracy", kAccuracies),
                   .accumulator = named(json, "accumulator", kAccumulators),
                   .validate = json.value("validate", false)}};
}

Json json_of(const KernelChoice& kernel) {
  return {{"variant", kernel.variant}, {"parameters", kernel.parameters}};
}

KernelChoice kernel_of(const Json& json) {
  return {json.at("variant"), json.at("parameters").get<Parameters>()};
}

}  // namespace tessera::inline v0::kernels
