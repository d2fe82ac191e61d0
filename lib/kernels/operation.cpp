// Operations: their problems in words, and their variants by name.
#include "kernels/operation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tessera/error.hpp"

namespace tessera::inline v0::kernels {
namespace {

/// The extents that count, as they are written.
std::string extents(const Operation& operation, const Problem& problem) {
  switch (operation.dimensions) {
    case Dimensions::product: return fmt::format("{} x {} x {}", problem.m, problem.n, problem.k);
    case Dimensions::vector_product: return fmt::format("{} x {}", problem.m, problem.k);
    default: return fmt::format("{} x {}", problem.m, problem.n);
  }
}

/// Returns the word for an operand that is read by an Op other than none.
std::string_view participle(Op op) {
  if (op == Op::transpose) return "transposed";
  return op == Op::conjugate ? "conjugated" : "conjugate-transposed";
}

/// The settings that are not the default, each after a comma.
std::string details(const Operation& operation, const Problem& problem) {
  const char* const second = operation.dimensions == Dimensions::vector_product ? "x" : "b";
  std::string text;
  if (problem.batch != 1) text += fmt::format(", batch {}", problem.batch);
  if (problem.op_a != Op::none) text += fmt::format(", a {}", participle(problem.op_a));
  if (problem.op_b != Op::none) text += fmt::format(", {} {}", second, participle(problem.op_b));
  if (problem.alpha != 1) text += fmt::format(", alpha {}", to_string(problem.alpha));
  if (problem.beta != 0) text += fmt::format(", beta {}", to_string(problem.beta));
  if (problem.mode.accuracy != Accuracy::ieee)
    text += fmt::format(", {}", to_string(problem.mode.accuracy));
  if (problem.mode.accumulator != Accumulator::automatic)
    text += fmt::format(", {}", to_string(problem.mode.accumulator));
  if (problem.mode.validate) text += ", validating";
  return text;
}

}  // namespace

std::string dimensions_text(const Operation& operation, const Problem& problem) {
  return extents(operation, problem) + details(operation, problem);
}

std::string describe(const Operation& operation, const Problem& problem) {
  return fmt::format("{} {} {}", operation.name, to_string(problem.types),
                     dimensions_text(operation, problem));
}

const Variant& find_variant(const Operation& operation, std::string_view name) {
  std::vector<std::string> names;
  for (const Variant* variant : operation.variants) {
    if (variant->name == name) return *variant;
    names.push_back(variant->name);
  }
  throw ArgumentError(ErrorCode::unknown_name,
                      fmt::format("{}: no variant \"{}\"; there are: {}", operation.name, name,
                                  fmt::join(names, ", ")));
}

}  // namespace tessera::inline v0::kernels
