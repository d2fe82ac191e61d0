// The operations of the pipeline, one by one: argument checks, the plan and the commands.
#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

#include "eigen/eigenvector.hpp"
#include "eigen/fused_round.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/neutral_state.hpp"
#include "eigen/row_bounds.hpp"
#include "eigen/row_sum.hpp"
#include "eigen/similarity_transform.hpp"
#include "eigen/stop.hpp"
#include "eigen/vector_max.hpp"
#include "operands/element.hpp"
#include "operands/operands.hpp"
#include "tessera/eigen.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using operands::NamedOperand;
using operands::require_apart;
using operands::require_together;
using runtime::Access;

/// Throws MatrixError if an operand is not rows x columns.
void require_shape(const char* operation, const NamedOperand& named, std::size_t rows,
                   std::size_t columns) {
  const MatrixLayout& layout = named.layout;
  if (layout.rows == rows && layout.columns == columns) return;
  throw MatrixError(ErrorCode::invalid_shape,
                    fmt::format("{}: {} is {} x {}, it must be {} x {}", operation, named.name,
                                layout.rows, layout.columns, rows, columns));
}

/// Throws MatrixError if there are no elements.
void require_elements(const char* operation, const NamedOperand& named) {
  if (named.layout.rows == 0 || named.layout.columns == 0)
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("{}: {} has no elements", operation, named.name));
}

void require_square(const char* operation, const NamedOperand& named) {
  require_elements(operation, named);
  require_shape(operation, named, named.layout.rows, named.layout.rows);
}

template <class T>
NamedOperand named(const char* name, const ConstMatrixView<T>& view) {
  return {name, view.layout(), sizeof(T)};
}

/// The problem of an n x n matrix, or of vectors of length n.
Problem square(ElementType type, std::size_t n) { return {.type = type, .m = n, .n = n}; }

/// Plans, then enqueues the call `make(halt)` on the stream named in the options, or else on the
/// output's.
template <class Call, class Make>
KernelRun run(const kernels::Table<Call>& table, Problem problem, const StepOptions& options,
              const MatrixLayout& output, std::vector<runtime::Operand> operands, Make&& make) {
  problem.operation = table.operation().name;
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream =
            runtime::stream_for(table.operation().name.c_str(), options.stream, *output.stream);
        const auto plan = kernels::plan(stream, table.operation(), problem, options.kernel);
        kernels::log_plan(table.operation(), problem, *plan);
        const cl::Buffer& halt = eigen::neutral_state<double>(stream);
        runtime::Submission submission(stream, std::move(operands), options.wait_for);
        table.enqueue(*plan, make(halt), submission);
        auto [started, finished] = submission.finish();
        return KernelRun{plan, std::move(started), std::move(finished)};
      },
      [&] { return table.operation().name; });
}

runtime::Operand read(const MatrixLayout& layout) { return {layout.memory.get(), Access::read}; }
runtime::Operand write(const MatrixLayout& layout) { return {layout.memory.get(), Access::write}; }

}  // namespace

template <class T, class>
KernelRun row_sum(const MatrixView<T>& s, const ConstMatrixView<T>& a, const StepOptions& options) {
  require_elements("row_sum", named("a", a));
  require_shape("row_sum", named<T>("s", s), a.rows(), 1);
  require_apart("row_sum", named("a", a), named<T>("s", s));
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::row_sum_table(), {.type = kType, .m = a.rows(), .n = a.columns()}, options,
             s.layout(), {read(a.layout()), write(s.layout())}, [&](const cl::Buffer& halt) {
               return eigen::RowSumCall{{kType, a.rows(), &halt},
                                        a.columns(),
                                        eigen::matrix_argument(a.layout()),
                                        eigen::vector_argument(s.layout())};
             });
}

template <class T, class>
KernelRun vector_max(const MatrixView<T>& maximum, const ConstMatrixView<T>& x,
                     const StepOptions& options) {
  require_elements("vector_max", named("x", x));
  require_shape("vector_max", named("x", x), x.rows(), 1);
  require_shape("vector_max", named<T>("maximum", maximum), 1, 1);
  require_apart("vector_max", named("x", x), named<T>("maximum", maximum));
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::vector_max_table(), square(kType, x.rows()), options, maximum.layout(),
             {read(x.layout()), write(maximum.layout())}, [&](const cl::Buffer& halt) {
               return eigen::VectorMaxCall{{kType, x.rows(), &halt},
                                           eigen::vector_argument(x.layout()),
                                           eigen::vector_argument(maximum.layout())};
             });
}

template <class T, class>
KernelRun row_bounds(const MatrixView<T>& bounds, const ConstMatrixView<T>& x,
                     const StepOptions& options) {
  require_elements("row_bounds", named("x", x));
  require_shape("row_bounds", named("x", x), x.rows(), 1);
  require_shape("row_bounds", named<T>("bounds", bounds), 2, 1);
  require_apart("row_bounds", named("x", x), named<T>("bounds", bounds));
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::row_bounds_table(), square(kType, x.rows()), options, bounds.layout(),
             {read(x.layout()), write(bounds.layout())}, [&](const cl::Buffer& halt) {
               const auto minimum = eigen::vector_argument(bounds.layout());
               auto maximum = minimum;
               maximum.at.offset += maximum.at.stride;
               return eigen::RowBoundsCall{
                   {kType, x.rows(), &halt}, eigen::vector_argument(x.layout()), minimum, maximum};
             });
}

template <class T, class>
KernelRun eigenvector(const MatrixView<T>& v, const ConstMatrixView<T>& s,
                      const ConstMatrixView<T>& maximum, const StepOptions& options) {
  require_elements("eigenvector", named<T>("v", v));
  require_shape("eigenvector", named<T>("v", v), v.rows(), 1);
  require_shape("eigenvector", named("s", s), v.rows(), 1);
  require_shape("eigenvector", named("maximum", maximum), 1, 1);
  require_apart("eigenvector", named("s", s), named<T>("v", v));
  require_apart("eigenvector", named("maximum", maximum), named<T>("v", v));
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::eigenvector_table(), square(kType, v.rows()), options, v.layout(),
             {read(s.layout()), read(maximum.layout()), write(v.layout())},
             [&](const cl::Buffer& halt) {
               return eigen::EigenvectorCall{{kType, v.rows(), &halt},
                                             eigen::vector_argument(s.layout()),
                                             eigen::vector_argument(maximum.layout()),
                                             eigen::vector_argument(v.layout())};
             });
}

namespace {

/// Checks a transform of a into b, which may be a itself; s must not overlap b.
template <Real T>
void require_transform(const char* operation, const MatrixView<T>& b, const ConstMatrixView<T>& a,
                       const ConstMatrixView<T>& s) {
  require_square(operation, named("a", a));
  require_shape(operation, named<T>("b", b), a.rows(), a.rows());
  require_shape(operation, named("s", s), a.rows(), 1);
  const MatrixLayout &from = a.layout(), &to = b.layout();
  const bool in_place = from.memory == to.memory && from.offset == to.offset &&
                        from.leading_dimension == to.leading_dimension;
  if (in_place) {
    require_together(operation, named("a", a), named<T>("b", b));
  } else {
    require_apart(operation, named("a", a), named<T>("b", b));
  }
  require_apart(operation, named("s", s), named<T>("b", b));
}

}  // namespace

template <class T, class>
KernelRun similarity_transform(const MatrixView<T>& b, const ConstMatrixView<T>& a,
                               const ConstMatrixView<T>& s, const StepOptions& options) {
  require_transform("similarity_transform", b, a, s);
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::similarity_transform_table(), square(kType, a.rows()), options, b.layout(),
             {read(a.layout()), read(s.layout()), write(b.layout())}, [&](const cl::Buffer& halt) {
               return eigen::SimilarityTransformCall{{kType, a.rows(), &halt},
                                                     eigen::matrix_argument(a.layout()),
                                                     eigen::vector_argument(s.layout()),
                                                     eigen::matrix_argument(b.layout())};
             });
}

template <class T, class>
KernelRun stop(const MatrixView<std::int32_t>& converged, const ConstMatrixView<T>& s, T tolerance,
               const StepOptions& options) {
  require_elements("stop", named("s", s));
  require_shape("stop", named("s", s), s.rows(), 1);
  require_shape("stop", named<std::int32_t>("converged", converged), 1, 1);
  require_apart("stop", named("s", s), named<std::int32_t>("converged", converged));
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::stop_table(), square(kType, s.rows()), options, converged.layout(),
             {read(s.layout()), write(converged.layout())}, [&](const cl::Buffer& halt) {
               return eigen::StopCall{{kType, s.rows(), &halt},
                                      runtime::value_of(tolerance),
                                      eigen::vector_argument(s.layout()),
                                      eigen::vector_argument(converged.layout())};
             });
}

template <class T, class>
KernelRun fused_round(const MatrixView<T>& b, const MatrixView<T>& t, const ConstMatrixView<T>& a,
                      const ConstMatrixView<T>& s, const StepOptions& options) {
  require_transform("fused_round", b, a, s);
  require_shape("fused_round", named<T>("t", t), a.rows(), 1);
  for (const auto& other : {named("a", a), named("s", s), named<T>("b", b)})
    require_apart("fused_round", other, named<T>("t", t));
  if (s.rows() > 1 && s.leading_dimension() != 1)
    throw MatrixError(ErrorCode::unsupported_layout,
                      "fused_round: the elements of s are not beside each other");
  constexpr auto kType = operands::kElementType<T>;
  return run(eigen::fused_round_table(), square(kType, a.rows()), options, b.layout(),
             {read(a.layout()), read(s.layout()), write(b.layout()), write(t.layout())},
             [&](const cl::Buffer& halt) {
               return eigen::FusedRoundCall{{kType, a.rows(), &halt},
                                            eigen::matrix_argument(a.layout()),
                                            eigen::vector_argument(s.layout()),
                                            eigen::matrix_argument(b.layout()),
                                            eigen::vector_argument(t.layout())};
             });
}

template <class T, class>
KernelRun implicit_round(const MatrixView<double>& q, const MatrixView<double>& s,
                         const ConstMatrixView<T>& a, const ConstMatrixView<double>& p,
                         const StepOptions& options) {
  constexpr const char* kOperation = "implicit_round";
  require_square(kOperation, named("a", a));
  for (const auto& vector : {named("p", p), named<double>("q", q), named<double>("s", s)}) {
    require_shape(kOperation, vector, a.rows(), 1);
    if (vector.layout.offset != 0 || vector.layout.leading_dimension != 1)
      throw MatrixError(
          ErrorCode::unsupported_layout,
          fmt::format("{}: {} is not dense from its memory's start", kOperation, vector.name));
  }
  for (const auto& output : {named<double>("q", q), named<double>("s", s)}) {
    require_apart(kOperation, named("a", a), output);
    require_apart(kOperation, named("p", p), output);
  }
  require_apart(kOperation, named<double>("q", q), named<double>("s", s));
  constexpr auto kType = operands::kElementType<T>;
  Problem problem = square(kType, a.rows());
  problem.mode.accumulator = Accumulator::float64;  // q and s are double
  return run(eigen::implicit_round_table(), problem, options, q.layout(),
             {read(a.layout()), read(p.layout()), write(q.layout()), write(s.layout())},
             [&](const cl::Buffer& halt) {
               return eigen::ImplicitRoundCall{{kType, a.rows(), &halt},
                                               eigen::matrix_argument(a.layout()),
                                               &p.layout().memory->buffer(),
                                               &q.layout().memory->buffer(),
                                               &s.layout().memory->buffer()};
             });
}

#define TESSERA_PIPELINE(T)                                                                        \
  template KernelRun row_sum(const MatrixView<T>&, const ConstMatrixView<T>&, const StepOptions&); \
  template KernelRun vector_max(const MatrixView<T>&, const ConstMatrixView<T>&,                   \
                                const StepOptions&);                                               \
  template KernelRun row_bounds(const MatrixView<T>&, const ConstMatrixView<T>&,                   \
                                const StepOptions&);                                               \
  template KernelRun eigenvector(const MatrixView<T>&, const ConstMatrixView<T>&,                  \
                                 const ConstMatrixView<T>&, const StepOptions&);                   \
  template KernelRun similarity_transform(const MatrixView<T>&, const ConstMatrixView<T>&,         \
                                          const ConstMatrixView<T>&, const StepOptions&);          \
  template KernelRun stop(const MatrixView<std::int32_t>&, const ConstMatrixView<T>&, T,           \
                          const StepOptions&);                                                     \
  template KernelRun fused_round(const MatrixView<T>&, const MatrixView<T>&,                       \
                                 const ConstMatrixView<T>&, const ConstMatrixView<T>&,             \
                                 const StepOptions&);                                              \
  template KernelRun implicit_round(const MatrixView<double>&, const MatrixView<double>&,          \
                                    const ConstMatrixView<T>&, const ConstMatrixView<double>&,     \
                                    const StepOptions&);
TESSERA_PIPELINE(float)
TESSERA_PIPELINE(double)
#undef TESSERA_PIPELINE

}  // namespace tessera::inline v0
