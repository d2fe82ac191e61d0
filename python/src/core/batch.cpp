// Batches in Python: matrices of one shape, multiplied in one call.
#include "conversion.hpp"
#include "indexing.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

Batch split(const Matrix& stacked, std::size_t count) {
  return {detail::batch_of(stacked.operand, count), {}, stacked.owner};
}
Batch repeated(const Matrix& matrix, std::size_t count) {
  return {{matrix.operand, count, 0}, {}, matrix.owner};
}

Batch multiplied(const Batch& a, const Batch& b, ts::ElementType type,
                 const ts::MultiplyOptions& options) {
  return unlocked([&] {
    auto [stacked, run] = detail::multiply_batched(type, a.batch, b.batch, options);
    detail::Batch blocks = detail::batch_of(stacked, a.batch.count);
    if (blocks.count == 0) {  // blocks of nothing have no size of their own
      blocks.first.stored_rows = a.batch.first.rows();
      blocks.first.stored_columns = b.batch.first.columns();
      blocks.first.leading_dimension = blocks.first.stored_columns;
    }
    return Batch{std::move(blocks), std::move(run)};
  });
}
Batch product(const Batch& a, const Batch& b) {
  return multiplied(a, b, ts::ProductTypes(a.batch.first.type).c, {});
}

nb::object multiply_batched(const Batch& a, const Batch& b, nb::handle out, Complex alpha,
                            Complex beta, std::string_view accuracy, nb::handle kernel,
                            nb::handle dtype, const std::optional<ts::Stream>& stream,
                            nb::handle wait_for) {
  const auto options = product_options(alpha, beta, accuracy, kernel, stream, wait_for);
  const auto type = dtype.is_none() ? ts::ProductTypes(a.batch.first.type).c
                                    : element_type_of(dtype, "multiply_batched");
  if (out.is_none()) return nb::cast(multiplied(a, b, type, options));
  if (!nb::isinstance<Batch>(out)) throw nb::type_error("multiply_batched: out is not a Batch");
  auto& c = nb::cast<Batch&>(out);
  set_run(c, unlocked([&] {
            return detail::multiply_batched_into(c.batch, a.batch, b.batch, options);
          }));
  return nb::borrow(out);
}

/// The matrices as one, whose rows follow each other; none if they are apart or transposed.
std::optional<Matrix> stacked(const Batch& batch) {
  const auto& [first, count, stride] = batch.batch;
  if (is_transposed(first.op) ||
      (count > 1 && stride != first.stored_rows * first.leading_dimension))
    return std::nullopt;
  Matrix whole{first, {}, batch.owner};
  whole.operand.stored_rows *= count;
  return whole;
}

Matrix at(const Batch& batch, nb::handle index) {
  const std::size_t i = index_below(batch.batch.count, index);
  detail::Operand one = batch.batch.first;
  one.offset += i * batch.batch.stride;
  return {std::move(one), {}, batch.owner};
}

nb::object to_numpy(nb::handle self) { return call_python("tessera_cl._host", "of_batch", self); }

void bind_attributes(nb::class_<Batch>& batch) {
  batch
      .def_prop_ro(
          "shape",
          [](const Batch& self) {
            const detail::Batch& batch = self.batch;
            return nb::make_tuple(batch.count, batch.first.rows(), batch.first.columns());
          },
          nb::sig("def shape(self) -> tuple[int, int, int]"), "Count, rows and columns.")
      .def_prop_ro(
          "dtype", [](const Batch& self) { return dtype_of(self.batch.first.type); },
          nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"), "The type of the elements.")
      .def_prop_ro(
          "stride", [](const Batch& self) { return self.batch.stride; },
          "Elements from a matrix to the next; 0: the same matrix.")
      .def_prop_ro(
          "T",
          [](const Batch& self) {
            Batch turned{self.batch, {}, self.owner};
            turned.batch.first = detail::viewed(turned.batch.first, ts::Op::transpose);
            return turned;
          },
          "The transposes, a view.")
      .def_prop_ro(
          "H",
          [](const Batch& self) {
            Batch turned{self.batch, {}, self.owner};
            turned.batch.first = detail::viewed(turned.batch.first, ts::Op::conjugate_transpose);
            return turned;
          },
          "The conjugate transposes, a view.")
      .def_prop_ro("run", run_of<Batch>, "The kernel that computed it, if a product made it.");
}

void bind_methods(nb::class_<Batch>& batch) {
  batch.def("__len__", [](const Batch& self) { return self.batch.count; })
      .def("__getitem__", at, "index"_a, nb::sig("def __getitem__(self, index: int, /) -> Matrix"))
      .def("__matmul__", product, nb::is_operator())
      .def(
          "__matmul__",
          [](const Batch& a, const Matrix& b) { return product(a, repeated(b, a.batch.count)); },
          nb::is_operator())
      .def(
          "__rmatmul__",
          [](const Batch& b, const Matrix& a) { return product(repeated(a, b.batch.count), b); },
          nb::is_operator())
      .def("_stacked", stacked, "Returns the matrices as one, or None if they are apart.")
      .def("to_numpy", to_numpy, nb::sig("def to_numpy(self) -> numpy.typing.NDArray[typing.Any]"),
           "Returns the elements as an array of three dimensions; waits.")
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            require_copy(copy);
            return as_dtype(to_numpy(self), dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none(),
          nb::sig("def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool |"
                  " None = None) -> numpy.typing.NDArray[typing.Any]"))
      .def("__repr__", [](const Batch& self) {
        const detail::Batch& batch = self.batch;
        return nb::str("Batch({} x {} x {}, {})")
            .format(batch.count, batch.first.rows(), batch.first.columns(),
                    name_of(batch.first.type));
      });
}

/// Adds the ways to make batches to the other classes.
void bind_making() {
  nb::borrow<nb::class_<Matrix>>(nb::type<Matrix>())
      .def("split", split, "count"_a,
           "Returns the rows as a batch of ``count`` equal blocks, a view.\n\n"
           "Raises:\n    MatrixError: count does not divide the rows, or the view is transposed.")
      .def("repeat", repeated, "count"_a, "Returns a batch with this matrix in every product.");
  nb::borrow<nb::class_<ts::Engine>>(nb::type<ts::Engine>())
      .def(
          "asbatch",
          [](nb::handle engine, nb::handle array) {
            return call_python("tessera_cl._host", "as_batch", engine, array);
          },
          "array"_a, nb::sig("def asbatch(self, array: numpy.typing.ArrayLike) -> Batch"),
          "Copies an array of three dimensions (count, rows, columns) to the device.");
}

}  // namespace

void bind_batch(nb::module_& module) {
  nb::class_<Batch> batch(module, "Batch",
                          "Matrices of one shape in one buffer, which one call multiplies.\n\n"
                          ">>> import numpy as np, tessera_cl as ts\n"
                          ">>> e = ts.Engine()\n"
                          ">>> B = e.asbatch(np.ones((3, 2, 4), np.float32))\n"
                          ">>> (B @ B.T).shape\n"
                          "(3, 2, 2)");
  bind_attributes(batch);
  bind_methods(batch);
  bind_making();
  batch.attr("__array_ufunc__") = nb::none();  // NumPy leaves operators to this class
  module.def(
      "multiply_batched", multiply_batched, "a"_a, "b"_a, "out"_a = nb::none(), nb::kw_only(),
      "alpha"_a = 1.0, "beta"_a = 0.0, "accuracy"_a = "ieee", "kernel"_a = nb::none(),
      "dtype"_a = nb::none(), "stream"_a = nb::none(), "wait_for"_a = nb::none(),
      nb::sig("def multiply_batched(a: Batch, b: Batch, out: Batch | None = None, *, alpha:"
              " complex = 1.0, beta: complex = 0.0, accuracy: typing.Literal['ieee', 'bounded']"
              " = 'ieee', kernel: str | tuple[str, dict[str, int]] | None = None, dtype:"
              " numpy.typing.DTypeLike | None = None, stream: Stream | None = None,"
              " wait_for: collections.abc.Iterable[typing.Any] | None = None) -> Batch"),
      "Enqueues ``out[i] = alpha * a[i] @ b[i] + beta * out[i]`` for all i in one call.\n\n"
      "The counts must be equal. ``Matrix.repeat()`` uses one matrix in every product. The\n"
      "other arguments and errors are those of ``multiply()``.");
}

}  // namespace tessera_py
