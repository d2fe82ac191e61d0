// Products of matrices and of arrays in Python.
#include "conversion.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

using Stream = std::optional<ts::Stream>;

/// The stream of the first operand that has one. Raises TypeError if none has.
ts::Stream stream_of(nb::handle out, nb::handle a, nb::handle b, const char* what) {
  for (const nb::handle one : {out, a, b}) {
    if (nb::isinstance<Matrix>(one)) return detail::stream_of(nb::cast<const Matrix&>(one).operand);
  }
  const std::string message =
      std::string(what) + ": expected a Matrix as a, b or out; matmul() multiplies arrays";
  throw nb::type_error(message.c_str());
}

ts::ElementType result_type(nb::handle dtype, ts::ElementType operands, const char* what) {
  return dtype.is_none() ? ts::ProductTypes(operands).c : element_type_of(dtype, what);
}

/// A matrix of any engine, whose context the operation checks, or an array on the stream.
detail::Operand operand_of(const ts::Stream& stream, nb::handle object, const char* what) {
  if (nb::isinstance<Matrix>(object)) return nb::cast<const Matrix&>(object).operand;
  return as_matrix(stream, object, true, what).operand;
}

/// Arguments of an operation with two operands and an output.
struct Operands {
  detail::Operand a, b;
  nb::handle out;

  Operands(nb::handle first, nb::handle second, nb::handle output, const char* what) : out(output) {
    if (!output.is_none() && !nb::isinstance<Matrix>(output)) {
      const std::string message = std::string(what) + ": out is not a Matrix";
      throw nb::type_error(message.c_str());
    }
    const ts::Stream stream = stream_of(output, first, second, what);
    a = operand_of(stream, first, what);
    b = operand_of(stream, second, what);
  }
};

/// Runs `into` with the output, or `make` without one; the result is the output or a new matrix.
template <class Into, class Make>
nb::object run(const Operands& of, Into&& into, Make&& make) {
  if (of.out.is_none()) {
    auto [matrix, ran] = unlocked(make);
    return nb::cast(Matrix{std::move(matrix), std::move(ran)});
  }
  auto& c = nb::cast<Matrix&>(of.out);
  set_run(c, unlocked([&] { return into(c.operand); }));
  return nb::borrow(of.out);
}

nb::object multiply(nb::handle a, nb::handle b, nb::handle out, Complex alpha, Complex beta,
                    std::string_view accuracy, nb::handle kernel, nb::handle dtype,
                    const Stream& stream, nb::handle wait_for) {
  const Operands of(a, b, out, "multiply");
  const auto options = product_options(alpha, beta, accuracy, kernel, stream, wait_for);
  const auto type = result_type(dtype, of.a.type, "multiply");
  return run(
      of, [&](const detail::Operand& c) { return detail::multiply_into(c, of.a, of.b, options); },
      [&] { return detail::multiply(type, of.a, of.b, options); });
}

nb::object matrix_vector(nb::handle a, nb::handle x, nb::handle out, Complex alpha, Complex beta,
                         nb::handle kernel, const Stream& stream, nb::handle wait_for) {
  const Operands of(a, x, out, "matrix_vector");
  const auto options = product_options(alpha, beta, "ieee", kernel, stream, wait_for);
  return run(
      of,
      [&](const detail::Operand& y) { return detail::matrix_vector_into(y, of.a, of.b, options); },
      [&] { return detail::matrix_vector(of.a, of.b, options); });
}

/// The product of two arrays of two dimensions as an array: `out`, or a new one if it is None.
nb::object matmul(const ts::Engine& engine, nb::handle a, nb::handle b, nb::handle out,
                  std::string_view accuracy, nb::handle kernel, nb::handle dtype) {
  const HostArray left = host_array(a, "matmul"), right = host_array(b, "matmul");
  const auto type = result_type(dtype, left.type, "matmul");
  const auto options = product_options(1, 0, accuracy, kernel, {}, nb::none());
  const detail::Operand first = uploaded(engine.stream(), left, true);
  const detail::Operand second = uploaded(engine.stream(), right, true);
  auto product = unlocked([&] { return detail::multiply(type, first, second, options); });
  const HostArray c = out.is_none()
                          ? empty_array(product.matrix.rows(), product.matrix.columns(), type)
                          : host_array(out, "matmul");
  download(product.matrix, c);
  return out.is_none() ? c.owner : nb::borrow(out);
}

void bind_products(nb::module_& module) {
  module.def(
      "multiply", multiply, "a"_a, "b"_a, "out"_a = nb::none(), nb::kw_only(), "alpha"_a = 1.0,
      "beta"_a = 0.0, "accuracy"_a = "ieee", "kernel"_a = nb::none(), "dtype"_a = nb::none(),
      "stream"_a = nb::none(), "wait_for"_a = nb::none(),
      nb::sig("def multiply(a: Matrix | numpy.typing.ArrayLike, b: Matrix |"
              " numpy.typing.ArrayLike, out: Matrix | None = None, *, alpha: complex = 1.0,"
              " beta: complex = 0.0, accuracy: typing.Literal['ieee', 'bounded'] = 'ieee',"
              " kernel: str | tuple[str, dict[str, int]] | None = None, dtype:"
              " numpy.typing.DTypeLike | None = None, stream: Stream | None = None, wait_for:"
              " collections.abc.Iterable[typing.Any] | None = None) -> Matrix"),
      "Enqueues ``out = alpha * a @ b + beta * out`` and returns ``out``, or a new matrix.\n\n"
      "One of a, b and out must be a Matrix. ``matmul()`` and ``multiply_host()`` multiply "
      "arrays.\n"
      "\n"
      "Args:\n"
      "    a, b: m x k and k x n, of one dtype. An array beside a Matrix is uploaded.\n"
      "    out: a Matrix, m x n, of the operands' dtype; int32 for int8, and float32 is possible "
      "for\n"
      "        16 bits. It shares no element with a or b.\n"
      "    accuracy: ``\"bounded\"`` permits faster kernels with their own proven bound.\n"
      "    kernel: ``\"tiled_static TILE=16\"``, or the name and a dict; None: the best "
      "known.\n"
      "    dtype: of the new matrix.\n"
      "    stream: where it is enqueued; None: on the stream of out, or of a.\n"
      "    wait_for: events to wait for, also of pyopencl.\n\n"
      "Raises:\n"
      "    MatrixError: the shapes do not match, or the output overlaps an operand.\n"
      "    ElementTypeError: the dtypes do not suit each other.\n"
      "    ArgumentError: an unknown kernel or parameter, or beta without out.\n"
      "    UnsupportedError: the kernel cannot compute this product.\n\n"
      ">>> import tessera_cl as ts\n"
      ">>> e = ts.Engine()\n"
      ">>> A = e.asmatrix([[1.0, 2.0], [3.0, 4.0]])\n"
      ">>> C = ts.multiply(A, A.T, alpha=2)\n"
      ">>> ts.multiply(A, A, out=C, beta=1).to_numpy()\n"
      "array([[17., 32.],\n"
      "       [37., 72.]])");
}

void bind_others(nb::module_& module) {
  module
      .def("matrix_vector", matrix_vector, "a"_a, "x"_a, "out"_a = nb::none(), nb::kw_only(),
           "alpha"_a = 1.0, "beta"_a = 0.0, "kernel"_a = nb::none(), "stream"_a = nb::none(),
           "wait_for"_a = nb::none(),
           nb::sig("def matrix_vector(a: Matrix | numpy.typing.ArrayLike, x: Matrix |"
                   " numpy.typing.ArrayLike, out: Matrix | None = None, *, alpha: complex = 1.0,"
                   " beta: complex = 0.0, kernel: str | tuple[str, dict[str, int]] | None = None,"
                   " stream: Stream | None = None, wait_for: collections.abc.Iterable[typing.Any]"
                   " | None = None) -> Matrix"),
           "Enqueues ``out = alpha * a @ x + beta * out`` for a vector x.\n\n"
           "Args:\n"
           "    a: m x k, of any dtype but int8.\n"
           "    x: one row or column of k elements.\n"
           "    out: one row or column of m elements; None: a new m x 1 matrix.\n\n"
           "The other arguments and errors are those of ``multiply()``.")
      .def("matmul_arrays", matmul, "engine"_a, "a"_a, "b"_a, "out"_a.none(), "accuracy"_a,
           "kernel"_a.none(), "dtype"_a.none(),
           nb::sig("def matmul_arrays(engine: Engine, a: numpy.typing.ArrayLike, b:"
                   " numpy.typing.ArrayLike, out: numpy.typing.NDArray[typing.Any] | None,"
                   " accuracy: str, kernel: str | tuple[str, dict[str, int]] | None, dtype:"
                   " numpy.typing.DTypeLike | None) -> numpy.typing.NDArray[typing.Any]"),
           "The product of two arrays of two dimensions.");
}

}  // namespace

void bind_multiply(nb::module_& module) {
  bind_products(module);
  bind_others(module);
}

}  // namespace tessera_py
