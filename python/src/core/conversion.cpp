// Conversion: turns the objects that operations accept into matrices on a device.
#include "conversion.hpp"

#include "options.hpp"

namespace tessera_py {
namespace {

/// A view of an array of pyopencl, which _pyopencl.py describes.
Matrix of_pyopencl(const ts::Stream& stream, nb::handle array, const char* what) {
  if (nb::cast<std::size_t>(array.attr("size")) == 0) {  // it has no buffer
    const auto empty = nb::module_::import_("numpy").attr("empty");
    const HostArray nothing = host_array(empty(array.attr("shape"), array.attr("dtype")), what);
    return {uploaded(stream, nothing, false)};
  }
  const nb::object parts = call_python("tessera_cl._pyopencl", "parts", array);
  detail::Operand operand =
      detail::adopt(stream, reinterpret_cast<cl_mem>(nb::cast<std::uintptr_t>(parts[0])),
                    element_type_of(parts[1], what), nb::cast<std::size_t>(parts[2]),
                    nb::cast<std::size_t>(parts[3]), nb::cast<std::size_t>(parts[4]),
                    nb::cast<std::size_t>(parts[5]));
  if (nb::cast<bool>(parts[6])) operand = detail::viewed(operand, ts::Op::transpose);
  const nb::object events = array.attr("events");
  if (nb::len(events) > 0) unlocked([&stream, all = events_of(events)] { stream.wait_for(all); });
  return {std::move(operand), {}, nb::borrow(array)};
}

}  // namespace

Matrix as_matrix(const ts::Stream& stream, nb::handle object, bool or_columns, const char* what) {
  if (nb::isinstance<Matrix>(object)) {
    const auto& matrix = nb::cast<const Matrix&>(object);
    if (ts::interop::context(ts::Engine(detail::stream_of(matrix.operand))) ==
        ts::interop::context(ts::Engine(stream)))
      return {matrix.operand, {}, matrix.owner};
    return {unlocked([&] { return detail::copy_to(matrix.operand, stream); })};
  }
  if (!nb::hasattr(object, "__array_interface__")) {
    if (nb::hasattr(object, "base_data") && nb::hasattr(object, "queue"))
      return of_pyopencl(stream, object, what);
    if (nb::hasattr(object, "__dlpack__")) return from_dlpack(stream, object);
  }
  const HostArray array = host_array(object, what);
  return {uploaded(stream, array, or_columns)};
}

void bind_conversion(nb::module_&) {
  nb::borrow<nb::class_<ts::Engine>>(nb::type<ts::Engine>())
      .def(
          "asmatrix",
          [](const ts::Engine& engine, nb::handle array, const std::optional<ts::Stream>& stream) {
            if (nb::isinstance<Matrix>(array) &&
                ts::Engine(detail::stream_of(nb::cast<const Matrix&>(array).operand)) == engine)
              return nb::borrow(array);
            return nb::cast(as_matrix(stream.value_or(engine.stream()), array, false, "asmatrix"));
          },
          "array"_a, nb::kw_only(), "stream"_a = nb::none(),
          nb::sig("def asmatrix(self, array: numpy.typing.ArrayLike | Matrix, *, stream: Stream |"
                  " None = None) -> Matrix"),
          "Returns the elements as a matrix of the engine.\n\n"
          "Arrays of NumPy, with any strides, are copied to the device; one dimension becomes a\n"
          "column. Arrays of pyopencl and tensors of OpenCL (DLPack) become views of their\n"
          "buffers. A matrix of the engine is returned as it is.\n\n"
          "Raises:\n    TypeError: the dtype is not supported.\n"
          "    ValueError: the array has more than two dimensions.");
}

void require_copy(nb::handle copy) {
  if (!copy.is_none() && !nb::cast<bool>(copy))
    throw nb::value_error("__array__: a copy is needed, and copy is False");
}

nb::object as_dtype(nb::object array, nb::handle dtype) {
  return dtype.is_none() ? array : array.attr("astype")(dtype, "copy"_a = false);
}

}  // namespace tessera_py
