// multiply: argument checks, the plan and the commands.
#include "tessera/multiply.hpp"

#include <fmt/format.h>

#include <concepts>
#include <utility>

#include "multiply/call.hpp"
#include "multiply/run.hpp"
#include "multiply/table.hpp"
#include "multiply/vector_table.hpp"
#include "operands/element.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/stream.hpp"
#include "tessera/error.hpp"
#include "tessera/matrix_vector.hpp"
#include "tessera/multiply_batched.hpp"

namespace tessera::inline v0 {
namespace {

using multiplication::Call;

/// The first matrix and the stride of a batch of matrices stacked one below the other.
template <class View>
auto split(const View& stacked, std::size_t count, std::size_t rows) {
  const std::size_t stride = count > 1 ? rows * stacked.leading_dimension() : 0;
  return std::pair(stacked.block(0, 0, rows, stacked.columns()), stride);
}

std::size_t rows_of_each(std::size_t rows, std::size_t count) {
  if (count == 0 ? rows != 0 : rows % count != 0)
    throw MatrixError(ErrorCode::invalid_shape,
                      fmt::format("batch_of: {} rows are not {} equal blocks", rows, count));
  return count == 0 ? 0 : rows / count;
}

}  // namespace

template <class T>
ConstBatchView<T> batch_of(const ConstMatrixView<T>& stacked, std::size_t count) {
  auto [first, stride] = split(stacked, count, rows_of_each(stacked.rows(), count));
  return {std::move(first), count, stride};
}

template <class T>
BatchView<T> batch_of(const MatrixView<T>& stacked, std::size_t count) {
  auto [first, stride] = split(stacked, count, rows_of_each(stacked.rows(), count));
  return {std::move(first), count, stride};
}

template <class T>
KernelRun multiply_batched_into(const BatchView<ProductElement<T>>& c, const ConstBatchView<T>& a,
                                const ConstBatchView<T>& b, const MultiplyOptions<T>& options) {
  const Call call = multiplication::make_call(c, a, b, options);
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream =
            runtime::stream_for("multiply", options.stream, *c.first.layout().stream);
        if (options.kernel == KernelChoice{}) {
          if (const auto vector = multiplication::as_matrix_vector(call))
            return multiplication::run(multiplication::matrix_vector_table(), stream, *vector, {},
                                       options.wait_for);
        }
        return multiplication::run(multiplication::multiply_table(), stream, call, options.kernel,
                                   options.wait_for);
      },
      [] { return std::string("multiply"); });
}

template <class T>
KernelRun detail::multiply_into(const MatrixView<ProductElement<T>>& c, const ConstMatrixView<T>& a,
                                const ConstMatrixView<T>& b, const MultiplyOptions<T>& options) {
  return multiply_batched_into<T>({c}, {a}, {b}, options);
}

template <class T>
Product<T> multiply_batched(const ConstBatchView<T>& a, const ConstBatchView<T>& b,
                            const MultiplyOptions<T>& options) {
  if (options.beta != 0)
    throw ArgumentError(ErrorCode::conflicting_options,
                        "multiply: beta is not 0, but there is no c to add; see multiply_into");
  if (a.first.layout().memory == nullptr)
    throw MatrixError(ErrorCode::moved_from, "multiply: a was moved from");
  const auto shape = a.count == 0 ? multiplication::Shape{0, 0, 0}
                                  : multiplication::shape_of(a.first, b.first, options);
  Matrix<ProductElement<T>> c(options.stream.value_or(a.first.stream()), a.count * shape.m,
                              shape.n);
  const BatchView<ProductElement<T>> blocks{
      c.view().block(0, 0, a.count == 0 ? 0 : shape.m, shape.n), a.count,
      a.count > 1 ? shape.m * shape.n : 0};
  auto ran = multiply_batched_into<T>(blocks, a, b, options);
  return {std::move(c), std::move(ran)};
}

template <class T>
Product<T> detail::multiply(const ConstMatrixView<T>& a, const ConstMatrixView<T>& b,
                            const MultiplyOptions<T>& options) {
  return multiply_batched<T>({a}, {b}, options);
}

template <class T>
KernelRun prepare_multiply(const Engine& engine, const MultiplyOptions<T>& options) {
  const T one = static_cast<T>(1);
  const Matrix<T> a(engine, {{one, one}, {one, one}}), b(engine, {{one, one}, {one, one}});
  Matrix<ProductElement<T>> c(engine, {{one, one}, {one, one}});
  if (options.kernel == KernelChoice{}) {
    // Products of other sizes and matrix-vector products have their own kernels.
    if constexpr (std::same_as<T, ProductElement<T>>) {
      for (const bool transpose : {false, true}) {
        const MatrixVectorOptions<T> vector{.transpose = transpose, .stream = options.stream};
        matrix_vector(a, Matrix<T>(engine, {{one}, {one}}), vector).ran.finished.wait();
      }
    }
    for (std::size_t n = 128; n <= 4096; n *= 2) {
      const auto plan = runtime::with_opencl_errors([&] {
        return kernels::plan(*engine.stream(), multiplication::multiply_table().operation(),
                             {.type = operands::kElementType<T>,
                              .m = n,
                              .n = n,
                              .k = n,
                              .transpose_a = options.transpose_a,
                              .transpose_b = options.transpose_b,
                              .mode = {.accuracy = options.accuracy}},
                             {});
      });
      MultiplyOptions<T> named = options;
      named.kernel = {plan->variant->name, plan->parameters};
      multiply_into(c, a, b, named).finished.wait();
    }
  }
  KernelRun ran = multiply_into(c, a, b, options);
  ran.finished.wait();
  return ran;
}

#define TESSERA_MULTIPLY(T)                                                                      \
  template ConstBatchView<T> batch_of(const ConstMatrixView<T>&, std::size_t);                   \
  template BatchView<T> batch_of(const MatrixView<T>&, std::size_t);                             \
  template KernelRun multiply_batched_into(const BatchView<ProductElement<T>>&,                  \
                                           const ConstBatchView<T>&, const ConstBatchView<T>&,   \
                                           const MultiplyOptions<T>&);                           \
  template Product<T> multiply_batched(const ConstBatchView<T>&, const ConstBatchView<T>&,       \
                                       const MultiplyOptions<T>&);                               \
  template KernelRun detail::multiply_into(const MatrixView<ProductElement<T>>&,                 \
                                           const ConstMatrixView<T>&, const ConstMatrixView<T>&, \
                                           const MultiplyOptions<T>&);                           \
  template Product<T> detail::multiply(const ConstMatrixView<T>&, const ConstMatrixView<T>&,     \
                                       const MultiplyOptions<T>&);                               \
  template KernelRun prepare_multiply(const Engine&, const MultiplyOptions<T>&);
TESSERA_MULTIPLY(float)
TESSERA_MULTIPLY(double)
TESSERA_MULTIPLY(std::int32_t)
TESSERA_MULTIPLY(half)
TESSERA_MULTIPLY(std::int8_t)
#undef TESSERA_MULTIPLY

}  // namespace tessera::inline v0
