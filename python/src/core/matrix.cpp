// Matrices and views in Python.
#include "conversion.hpp"
#include "indexing.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

Matrix made(detail::Operand operand) { return {std::move(operand)}; }

/// `out` receives the elements, or a new array.
nb::object to_numpy(const Matrix& matrix, nb::handle out) {
  const detail::Operand& operand = matrix.operand;
  HostArray array = out.is_none() ? empty_array(operand.rows(), operand.columns(), operand.type)
                                  : host_array(out, "to_numpy");
  if (!out.is_none() && !is_array(out))
    throw nb::type_error("to_numpy: out is not an array of NumPy");
  if (!array.writable) throw nb::value_error("to_numpy: out is read-only");
  if (array.type != operand.type) {
    const std::string message = std::string("to_numpy: out has dtype ") + name_of(array.type) +
                                ", the matrix has " + name_of(operand.type);
    throw nb::type_error(message.c_str());
  }
  download(operand, array);
  return out.is_none() ? array.owner : nb::borrow(out);
}

nb::object as_array(const Matrix& matrix, nb::handle dtype, nb::handle copy) {
  require_copy(copy);
  return as_dtype(to_numpy(matrix, nb::none()), dtype);
}

Matrix multiplied(const Matrix& a, const Matrix& b) {
  return unlocked([&] {
    auto [matrix, run] =
        detail::multiply(ts::ProductTypes(a.operand.type).c, a.operand, b.operand, {});
    return Matrix{std::move(matrix), std::move(run)};
  });
}

Matrix sum(const Matrix& a, const Matrix& b, const ts::Scalar& alpha, const ts::Scalar& beta) {
  return made(
      unlocked([&] { return detail::add(a.operand, b.operand, {.alpha = alpha, .beta = beta}); }));
}

Matrix sums(const Matrix& matrix, ts::Op op) {
  return made(unlocked([&] {
    const detail::Operand& a = matrix.operand;
    const detail::Operand of = is_transposed(op) ? detail::viewed(a, op) : a;
    detail::Operand s = detail::allocate(detail::stream_of(a), a.type, of.rows(), 1);
    detail::row_sums_into(s, of, {});
    return s;
  }));
}

Matrix viewed(const Matrix& matrix, ts::Op op) {
  return {detail::viewed(matrix.operand, op), {}, matrix.owner};
}

/// Any number of Python or NumPy. Raises TypeError for other objects.
Complex number_of(nb::handle number) {
  const Py_complex value = PyComplex_AsCComplex(number.ptr());
  if (PyErr_Occurred() != nullptr) nb::raise_python_error();
  return {value.real, value.imag};
}

void set_item(const Matrix& matrix, nb::handle key, nb::handle value) {
  const detail::Operand block = indexed(matrix.operand, key);
  const bool is_number = PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()) ||
                         PyComplex_Check(value.ptr()) ||
                         (!nb::isinstance<Matrix>(value) && nb::hasattr(value, "ndim") &&
                          nb::cast<int>(value.attr("ndim")) == 0);
  if (is_number) {
    const Complex number = number_of(value);
    unlocked([&] {
      detail::add_into(block, block, block, {.alpha = 0, .beta = 0, .constant = number});
    });
  } else if (nb::isinstance<Matrix>(value)) {
    const auto& from = nb::cast<const Matrix&>(value);
    unlocked([&] { detail::copy_into(block, from.operand, {}); });
  } else {
    const HostArray array = host_array(value, "assignment");
    if (array.type != block.type) {
      const std::string message = std::string("assignment: the array has dtype ") +
                                  name_of(array.type) + ", the matrix has " + name_of(block.type);
      throw nb::type_error(message.c_str());
    }
    const bool is_row = array.columns == 1 && block.rows() == 1 && array.rows == block.columns() &&
                        nb::cast<int>(array.owner.attr("ndim")) == 1;
    upload(block, is_row ? array.transposed() : HostElements(array));
  }
}

template <class Number>
Number item(const Matrix& matrix) {
  constexpr bool kIsReal = std::is_same_v<Number, double>;
  if (matrix.operand.rows() != 1 || matrix.operand.columns() != 1) {
    throw nb::type_error(kIsReal ? "float: the matrix is not 1 x 1"
                                 : "complex: the matrix is not 1 x 1");
  }
  if (kIsReal && is_complex(matrix.operand.type))
    throw nb::type_error("float: the element is complex");
  return nb::cast<Number>(to_numpy(matrix, nb::none()).attr("item")());
}

void bind_arithmetic(nb::class_<Matrix>& matrix) {
  matrix
      .def("__matmul__", multiplied, nb::is_operator(),
           "The product, as ``multiply()`` computes it.")
      .def(
          "__matmul__",
          [](const Matrix& a, nb::handle b) {
            if (nb::isinstance<Batch>(b)) throw nb::next_overload();  // Batch.__rmatmul__
            return multiplied(a, as_matrix(detail::stream_of(a.operand), b, true, "@"));
          },
          nb::is_operator(),
          nb::sig("def __matmul__(self, other: numpy.typing.ArrayLike, /) -> Matrix"))
      .def(
          "__rmatmul__",
          [](const Matrix& b, nb::handle a) {
            return multiplied(as_matrix(detail::stream_of(b.operand), a, true, "@"), b);
          },
          nb::is_operator(),
          nb::sig("def __rmatmul__(self, other: numpy.typing.ArrayLike, /) -> Matrix"))
      .def(
          "__add__", [](const Matrix& a, const Matrix& b) { return sum(a, b, 1, 1); },
          nb::is_operator())
      .def(
          "__sub__", [](const Matrix& a, const Matrix& b) { return sum(a, b, 1, -1); },
          nb::is_operator())
      .def(
          "__mul__", [](const Matrix& a, Complex factor) { return sum(a, a, factor, 0); },
          nb::is_operator())
      .def(
          "__rmul__", [](const Matrix& a, Complex factor) { return sum(a, a, factor, 0); },
          nb::is_operator())
      .def("__neg__", [](const Matrix& a) { return sum(a, a, -1, 0); })
      .def(
          "row_sums", [](const Matrix& a) { return sums(a, ts::Op::none); },
          "Returns the sums of the rows, m x 1.")
      .def(
          "column_sums", [](const Matrix& a) { return sums(a, ts::Op::transpose); },
          "Returns the sums of the columns, n x 1.");
}

void bind_transfers(nb::class_<Matrix>& matrix) {
  matrix
      .def("to_numpy", to_numpy, "out"_a = nb::none(),
           nb::sig("def to_numpy(self, out: numpy.typing.NDArray[typing.Any] | None = None) ->"
                   " numpy.typing.NDArray[typing.Any]"),
           "Returns the elements as an array of NumPy; waits.\n\n"
           "Args:\n    out: receives them: an array of the same shape and dtype, any strides.")
      .def("__array__", as_array, "dtype"_a = nb::none(), "copy"_a = nb::none(),
           nb::sig("def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool |"
                   " None = None) -> numpy.typing.NDArray[typing.Any]"))
      .def(
          "__dlpack__",
          [](const Matrix& self, nb::handle, nb::handle max_version, nb::handle dl_device,
             nb::handle copy) { return to_dlpack(self, max_version, dl_device, copy); },
          nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
          "dl_device"_a = nb::none(), "copy"_a = nb::none(),
          nb::sig("def __dlpack__(self, *, stream: object = None, max_version: tuple[int, int] |"
                  " None = None, dl_device: tuple[int, int] | None = None, copy: bool | None ="
                  " None) -> typing.Any"),
          "Exports the buffer as a tensor of OpenCL, or a copy for the CPU (``dl_device``).")
      .def(
          "__dlpack_device__", [](const Matrix&) { return nb::make_tuple(kDlpackOpenCl, 0); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def(
          "copy",
          [](const Matrix& self, const std::optional<ts::Stream>& stream) {
            return made(unlocked([&] {
              return stream ? detail::copy_to(self.operand, *stream) : detail::copy(self.operand);
            }));
          },
          "stream"_a = nb::none(),
          "Returns a dense copy.\n\n"
          "Args:\n    stream: where the copy is, also of another engine.")
      .def(
          "fill",
          [](const Matrix& self, Complex value) {
            const detail::Operand& c = self.operand;
            unlocked(
                [&] { detail::add_into(c, c, c, {.alpha = 0, .beta = 0, .constant = value}); });
          },
          "value"_a, "Sets each element to a number.");
}

void bind_attributes(nb::class_<Matrix>& matrix) {
  matrix
      .def_prop_ro(
          "shape",
          [](const Matrix& self) {
            return nb::make_tuple(self.operand.rows(), self.operand.columns());
          },
          nb::sig("def shape(self) -> tuple[int, int]"), "Rows and columns.")
      .def_prop_ro(
          "dtype", [](const Matrix& self) { return dtype_of(self.operand.type); },
          nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"), "The type of the elements.")
      .def_prop_ro(
          "ndim", [](const Matrix&) { return 2; }, "2")
      .def_prop_ro(
          "size", [](const Matrix& self) { return self.operand.rows() * self.operand.columns(); },
          "The number of elements.")
      .def_prop_ro(
          "T", [](const Matrix& self) { return viewed(self, ts::Op::transpose); },
          "The transpose, a view. It cannot be written.")
      .def_prop_ro(
          "H", [](const Matrix& self) { return viewed(self, ts::Op::conjugate_transpose); },
          "The conjugate transpose, a view. It cannot be written.")
      .def_prop_ro(
          "offset", [](const Matrix& self) { return self.operand.offset; },
          "Index of the first element in the buffer.")
      .def_prop_ro(
          "leading_dimension", [](const Matrix& self) { return self.operand.leading_dimension; },
          "Elements from a stored row to the next.")
      .def_prop_ro(
          "is_transposed", [](const Matrix& self) { return is_transposed(self.operand.op); },
          "Whether the stored rows are the columns.")
      .def_prop_ro(
          "is_conjugated", [](const Matrix& self) { return is_conjugated(self.operand.op); },
          "Whether the stored elements are the conjugates.")
      .def_prop_ro(
          "stream", [](const Matrix& self) { return detail::stream_of(self.operand); },
          "The stream of its transfers, and of operations that write it.")
      .def_prop_ro(
          "engine", [](const Matrix& self) { return ts::Engine(detail::stream_of(self.operand)); },
          "The engine that it belongs to.")
      .def_prop_ro("run", run_of<Matrix>, "The kernel that computed it, if a product made it.")
      .def_prop_ro(
          "int_ptr",
          [](const Matrix& self) {
            return reinterpret_cast<std::uintptr_t>(detail::buffer(self.operand));
          },
          "The ``cl_mem`` as an integer, not retained.")
      .def_prop_ro(
          "buffer",
          [](nb::handle self) { return call_python("tessera_cl._pyopencl", "buffer", self); },
          nb::sig("def buffer(self) -> typing.Any"),
          "The whole buffer as a ``pyopencl.Buffer``, without a copy. Needs pyopencl.")
      .def(
          "to_pyopencl",
          [](nb::handle self) { return call_python("tessera_cl._pyopencl", "array", self); },
          nb::sig("def to_pyopencl(self) -> typing.Any"),
          "Returns a ``pyopencl.array.Array`` on the elements, without a copy. Needs pyopencl.");
}

}  // namespace

void bind_matrix(nb::module_& module) {
  nb::class_<Matrix> matrix(
      module, "Matrix",
      "A dense matrix on a device, or a view of a part of one.\n\n"
      "``A[1:3, :]`` and ``A.T`` are views, which share the memory. An index selects one row or\n"
      "column and keeps two dimensions. Assigning to a view writes its elements:\n"
      "``A[0] = array``. Operations enqueue work and return; ``to_numpy()`` waits.\n\n"
      ">>> import numpy as np, tessera_cl as ts\n"
      ">>> A = ts.Engine().asmatrix(np.arange(6.0).reshape(2, 3))\n"
      ">>> (A @ A.T).to_numpy()\n"
      "array([[ 5., 14.],\n"
      "       [14., 50.]])\n"
      ">>> A[:, 1:].shape\n"
      "(2, 2)");
  bind_attributes(matrix);
  bind_arithmetic(matrix);
  bind_transfers(matrix);
  matrix
      .def(
          "__getitem__",
          [](const Matrix& self, nb::handle key) {
            return Matrix{indexed(self.operand, key), {}, self.owner};
          },
          nb::sig("def __getitem__(self, key: int | slice | tuple[int | slice, int | slice], /)"
                  " -> Matrix"))
      .def("__setitem__", set_item,
           nb::sig("def __setitem__(self, key: int | slice | tuple[int | slice, int | slice],"
                   " value: Matrix | complex | numpy.typing.ArrayLike, /) -> None"))
      .def("__len__", [](const Matrix& self) { return self.operand.rows(); })
      .def("__float__", item<double>)
      .def("__complex__", item<Complex>)
      .def(
          "conj", [](const Matrix& self) { return viewed(self, ts::Op::conjugate); },
          "Returns the conjugates, a view. It cannot be written.")
      .def("__repr__", [](const Matrix& self) {
        return nb::str("Matrix({} x {}, {}, {})")
            .format(self.operand.rows(), self.operand.columns(), name_of(self.operand.type),
                    ts::Engine(detail::stream_of(self.operand)).device().name);
      });
  matrix.attr("__array_ufunc__") = nb::none();  // NumPy leaves operators to this class
}

}  // namespace tessera_py
