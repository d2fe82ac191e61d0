// Builds validated calls of the pipeline's operations from operands.
#include "eigen/step_calls.hpp"

#include <fmt/format.h>

#include "operands/numbers.hpp"
#include "operands/operands.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using detail::Operand;
using operands::NamedOperand;
using operands::require_apart;
using operands::require_together;
using runtime::Access;

/// Throws MatrixError if an operand is not rows x columns.
void require_shape(const char* operation, const NamedOperand& named, std::size_t rows,
                   std::size_t columns) {
  const Operand& of = named.operand;
  operands::require_stored_order(operation, named);
  if (of.rows() == rows && of.columns() == columns) return;
  throw MatrixError(ErrorCode::invalid_shape,
                    fmt::format("{}: {} is {} x {}; expected {} x {}", operation, named.name,
                                of.rows(), of.columns(), rows, columns));
}

/// Throws MatrixError if there are no elements.
void require_elements(const char* operation, const NamedOperand& named) {
  operands::require_stored_order(operation, named);
  if (named.operand.rows() == 0 || named.operand.columns() == 0)
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: {} has no elements", operation, named.name));
}

void require_square(const char* operation, const NamedOperand& named) {
  require_elements(operation, named);
  require_shape(operation, named, named.operand.rows(), named.operand.rows());
}

/// Throws MatrixError unless the elements are real, and UnsupportedError for types that no kernel
/// has.
ElementType real_type(const char* operation, const Operand& of) {
  if (of.type != ElementType::float32 && of.type != ElementType::float64)
    throw UnsupportedError(operation, fmt::format("it is not for {}", to_string(of.type)));
  return of.type;
}

void require_type(const char* operation, const NamedOperand& named, ElementType type) {
  if (named.operand.type == type) return;
  throw MatrixError(ErrorCode::wrong_type,
                    fmt::format("{}: {} is of {}; expected {}", operation, named.name,
                                to_string(named.operand.type), to_string(type)));
}

/// The problem of an n x n matrix, or of vectors of length n.
Problem square(ElementType type, std::size_t n) { return {.types = type, .m = n, .n = n}; }

runtime::Operand read(const Operand& of) { return {of.memory.get(), Access::read}; }
runtime::Operand write(const Operand& of) { return {of.memory.get(), Access::write}; }

}  // namespace

Step<RowSumCall> row_sum_step(const Operand& s, const Operand& a) {
  const ElementType type = real_type("row_sum", a);
  require_elements("row_sum", {"a", a});
  require_type("row_sum", {"s", s}, type);
  require_shape("row_sum", {"s", s}, a.rows(), 1);
  require_apart("row_sum", {"a", a}, {"s", s});
  return {
      {.types = type, .m = a.rows(), .n = a.columns()},
      s.stream.get(),
      {read(a), write(s)},
      RowSumCall{{type, a.rows(), nullptr}, a.columns(), matrix_argument(a), vector_argument(s)}};
}

namespace {

/// Checks a vector with elements, and an output of `rows` numbers of its type beside it.
ElementType require_vector(const char* operation, const NamedOperand& vector,
                           const NamedOperand& output, std::size_t rows) {
  const ElementType type = real_type(operation, vector.operand);
  require_elements(operation, vector);
  require_shape(operation, vector, vector.operand.rows(), 1);
  require_type(operation, output, type);
  require_shape(operation, output, rows, 1);
  require_apart(operation, vector, output);
  return type;
}

}  // namespace

Step<VectorMaxCall> vector_max_step(const Operand& maximum, const Operand& x) {
  const ElementType type = require_vector("vector_max", {"x", x}, {"maximum", maximum}, 1);
  return {square(type, x.rows()),
          maximum.stream.get(),
          {read(x), write(maximum)},
          VectorMaxCall{{type, x.rows(), nullptr}, vector_argument(x), vector_argument(maximum)}};
}

Step<RowBoundsCall> row_bounds_step(const Operand& bounds, const Operand& x) {
  const ElementType type = require_vector("row_bounds", {"x", x}, {"bounds", bounds}, 2);
  const auto minimum = vector_argument(bounds);
  auto maximum = minimum;
  maximum.at.offset += maximum.at.stride;
  return {square(type, x.rows()),
          bounds.stream.get(),
          {read(x), write(bounds)},
          {{type, x.rows(), nullptr}, vector_argument(x), minimum, maximum}};
}

Step<EigenvectorCall> eigenvector_step(const Operand& v, const Operand& s, const Operand& maximum) {
  const ElementType type = require_vector("eigenvector", {"s", s}, {"v", v}, s.rows());
  require_type("eigenvector", {"maximum", maximum}, type);
  require_shape("eigenvector", {"maximum", maximum}, 1, 1);
  require_apart("eigenvector", {"maximum", maximum}, {"v", v});
  return {square(type, v.rows()),
          v.stream.get(),
          {read(s), read(maximum), write(v)},
          EigenvectorCall{{type, v.rows(), nullptr},
                          vector_argument(s),
                          vector_argument(maximum),
                          vector_argument(v)}};
}

namespace {

/// Checks a transform of a into b, which may be a itself; s must not overlap b.
ElementType require_transform(const char* operation, const Operand& b, const Operand& a,
                              const Operand& s) {
  const ElementType type = real_type(operation, a);
  require_square(operation, {"a", a});
  require_shape(operation, {"b", b}, a.rows(), a.rows());
  require_shape(operation, {"s", s}, a.rows(), 1);
  require_type(operation, {"b", b}, type);
  require_type(operation, {"s", s}, type);
  const bool in_place =
      a.memory == b.memory && a.offset == b.offset && a.leading_dimension == b.leading_dimension;
  if (in_place) {
    require_together(operation, {"a", a}, {"b", b});
  } else {
    require_apart(operation, {"a", a}, {"b", b});
  }
  require_apart(operation, {"s", s}, {"b", b});
  return type;
}

}  // namespace

Step<SimilarityTransformCall> similarity_transform_step(const Operand& b, const Operand& a,
                                                        const Operand& s) {
  const ElementType type = require_transform("similarity_transform", b, a, s);
  return {
      square(type, a.rows()),
      b.stream.get(),
      {read(a), read(s), write(b)},
      SimilarityTransformCall{
          {type, a.rows(), nullptr}, matrix_argument(a), vector_argument(s), matrix_argument(b)}};
}

Step<StopCall> stop_step(const Operand& converged, const Operand& s, double tolerance) {
  const ElementType type = real_type("stop", s);
  require_elements("stop", {"s", s});
  require_shape("stop", {"s", s}, s.rows(), 1);
  require_type("stop", {"converged", converged}, ElementType::int32);
  require_shape("stop", {"converged", converged}, 1, 1);
  require_apart("stop", {"s", s}, {"converged", converged});
  return {square(type, s.rows()),
          converged.stream.get(),
          {read(s), write(converged)},
          StopCall{{type, s.rows(), nullptr},
                   operands::value_of(tolerance, type),
                   vector_argument(s),
                   vector_argument(converged)}};
}

Step<FusedRoundCall> fused_round_step(const Operand& b, const Operand& t, const Operand& a,
                                      const Operand& s) {
  const ElementType type = require_transform("fused_round", b, a, s);
  require_type("fused_round", {"t", t}, type);
  require_shape("fused_round", {"t", t}, a.rows(), 1);
  for (const NamedOperand& other :
       {NamedOperand{"a", a}, NamedOperand{"s", s}, NamedOperand{"b", b}})
    require_apart("fused_round", other, {"t", t});
  if (s.rows() > 1 && s.leading_dimension != 1)
    throw MatrixError(ErrorCode::unsupported_layout,
                      "fused_round: the elements of s must be contiguous");
  return {square(type, a.rows()),
          b.stream.get(),
          {read(a), read(s), write(b), write(t)},
          FusedRoundCall{{type, a.rows(), nullptr},
                         matrix_argument(a),
                         vector_argument(s),
                         matrix_argument(b),
                         vector_argument(t)}};
}

Step<ImplicitRoundCall> implicit_round_step(const Operand& q, const Operand& s, const Operand& a,
                                            const Operand& p) {
  constexpr const char* kOperation = "implicit_round";
  const ElementType type = real_type(kOperation, a);
  require_square(kOperation, {"a", a});
  for (const NamedOperand& vector :
       {NamedOperand{"p", p}, NamedOperand{"q", q}, NamedOperand{"s", s}}) {
    require_type(kOperation, vector, ElementType::float64);
    require_shape(kOperation, vector, a.rows(), 1);
    if (vector.operand.offset != 0 || vector.operand.leading_dimension != 1)
      throw MatrixError(
          ErrorCode::unsupported_layout,
          fmt::format("{}: {} must be contiguous and start at offset 0", kOperation, vector.name));
  }
  for (const NamedOperand& output : {NamedOperand{"q", q}, NamedOperand{"s", s}}) {
    require_apart(kOperation, {"a", a}, output);
    require_apart(kOperation, {"p", p}, output);
  }
  require_apart(kOperation, {"q", q}, {"s", s});
  Problem problem = square(type, a.rows());
  problem.mode.accumulator = Accumulator::float64;  // q and s are double
  return {problem,
          q.stream.get(),
          {read(a), read(p), write(q), write(s)},
          ImplicitRoundCall{{type, a.rows(), nullptr},
                            matrix_argument(a),
                            &p.memory->buffer(),
                            &q.memory->buffer(),
                            &s.memory->buffer()}};
}

}  // namespace tessera::inline v0::eigen
