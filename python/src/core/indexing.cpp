// Indexing: Python's indices and slices as blocks of operands.
#include "indexing.hpp"

namespace tessera_py {
namespace {

struct Range {
  std::size_t first = 0, count = 0;
};

Range range_of(std::size_t size, nb::handle key) {
  if (key.ptr() == Py_Ellipsis) return {0, size};
  if (!nb::isinstance<nb::slice>(key)) return {index_below(size, key), 1};
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(key.ptr(), &start, &stop, &step) != 0) nb::raise_python_error();
  if (step != 1) throw nb::value_error("slice: a step other than 1 is not supported");
  const Py_ssize_t count =
      PySlice_AdjustIndices(static_cast<Py_ssize_t>(size), &start, &stop, step);
  return {static_cast<std::size_t>(count > 0 ? start : 0), static_cast<std::size_t>(count)};
}

}  // namespace

std::size_t index_below(std::size_t size, nb::handle key) {
  if (PyIndex_Check(key.ptr()) == 0)
    throw nb::type_error("index: expected an integer, a slice, or a tuple of two");
  const Py_ssize_t given = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (given == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
  const auto end = static_cast<Py_ssize_t>(size);
  if (given < -end || given >= end) {
    const std::string message =
        "index " + std::to_string(given) + " is out of range for size " + std::to_string(size);
    throw nb::index_error(message.c_str());
  }
  return static_cast<std::size_t>(given < 0 ? given + end : given);
}

detail::Operand indexed(const detail::Operand& of, nb::handle key) {
  Range rows, columns{0, of.columns()};
  if (nb::isinstance<nb::tuple>(key)) {
    if (nb::len(key) != 2) throw nb::index_error("index: expected at most two indices");
    rows = range_of(of.rows(), key[0]);
    columns = range_of(of.columns(), key[1]);
  } else {
    rows = range_of(of.rows(), key);
  }
  return detail::block(of, rows.first, columns.first, rows.count, columns.count);
}

}  // namespace tessera_py
