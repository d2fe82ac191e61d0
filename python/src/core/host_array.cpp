// HostArray: numbers in host memory with any strides, from NumPy or through DLPack.
#include "host_array.hpp"

#include <array>
#include <cstring>

namespace tessera_py {
namespace {

constexpr std::array<std::pair<const char*, ts::ElementType>, 8> kNames = {{
    {"float16", ts::ElementType::float16},
    {"bfloat16", ts::ElementType::bfloat16},
    {"float32", ts::ElementType::float32},
    {"float64", ts::ElementType::float64},
    {"int8", ts::ElementType::int8},
    {"int32", ts::ElementType::int32},
    {"complex64", ts::ElementType::complex64},
    {"complex128", ts::ElementType::complex128},
}};

nb::module_ numpy() { return nb::module_::import_("numpy"); }

[[noreturn]] void refuse_dtype(const std::string& name, const char* what) {
  const std::string message =
      std::string(what) + ": dtype " + name +
      " is not supported; expected float16, bfloat16, float32, float64, int8, int32, complex64 or "
      "complex128";
  throw nb::type_error(message.c_str());
}

/// Copies elements between two arrays of one shape.
void copy_elements(const HostElements& to, const HostElements& from) {
  const std::size_t size = ts::element_size(from.type);
  for (std::size_t i = 0; i < from.rows; i++) {
    const auto row = static_cast<std::ptrdiff_t>(i);
    std::byte* out = to.data + row * to.row_stride;
    const std::byte* in = from.data + row * from.row_stride;
    for (std::size_t j = 0; j < from.columns; j++) {
      std::memcpy(out, in, size);
      out += to.column_stride;
      in += from.column_stride;
    }
  }
}

/// Contiguous rows in `memory` with the shape of another array.
HostElements rows_in(std::vector<std::byte>& memory, const HostElements& like) {
  const std::size_t size = ts::element_size(like.type);
  memory.resize(like.rows * like.columns * size);
  HostElements rows = like;
  rows.data = memory.data();
  rows.row_stride = static_cast<std::ptrdiff_t>(like.columns * size);
  rows.column_stride = static_cast<std::ptrdiff_t>(size);
  return rows;
}

}  // namespace

const char* name_of(ts::ElementType type) {
  for (const auto& [name, named] : kNames) {
    if (named == type) return name;
  }
  return "unknown";
}

ts::ElementType element_type_of(nb::handle dtype, const char* what) {
  std::string name;
  nb::try_cast(dtype, name);
  if (name != "bfloat16") {
    const nb::object known = numpy().attr("dtype")(dtype);
    name = nb::cast<std::string>(known.attr("name"));
    if (!nb::cast<bool>(known.attr("isnative")))
      refuse_dtype(name + " in reversed byte order", what);
  }
  for (const auto& [known, type] : kNames) {
    if (name == known) return type;
  }
  refuse_dtype(name, what);
}

nb::object dtype_of(ts::ElementType type) {
  if (type == ts::ElementType::bfloat16) {
    return numpy().attr("dtype")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
  }
  return numpy().attr("dtype")(name_of(type));
}

std::size_t HostElements::leading_dimension() const {
  const auto size = static_cast<std::ptrdiff_t>(ts::element_size(type));
  const bool has_stride = rows > 1 && columns > 0;
  return has_stride ? static_cast<std::size_t>(row_stride / size) : columns;
}

bool HostElements::has_rows(bool of_transpose) const {
  if (of_transpose) return transposed().has_rows(false);
  const auto size = static_cast<std::ptrdiff_t>(ts::element_size(type));
  if (rows == 0 || columns == 0) return true;
  if (reinterpret_cast<std::uintptr_t>(data) % ts::element_size(type) != 0) return false;
  if (columns > 1 && column_stride != size) return false;
  return rows == 1 ||
         (row_stride % size == 0 && row_stride >= size * static_cast<std::ptrdiff_t>(columns));
}

HostElements HostElements::transposed() const {
  HostElements turned = *this;
  std::swap(turned.rows, turned.columns);
  std::swap(turned.row_stride, turned.column_stride);
  return turned;
}

HostArray host_array(nb::handle array_like, const char* what) {
  const nb::object array = numpy().attr("asarray")(array_like);
  HostArray made;
  made.type = element_type_of(array.attr("dtype"), what);
  const auto interface = nb::cast<nb::dict>(array.attr("__array_interface__"));
  const auto shape = nb::cast<std::vector<std::size_t>>(interface["shape"]);
  if (shape.size() != 1 && shape.size() != 2) {
    const std::string message = std::string(what) + ": the array has " +
                                std::to_string(shape.size()) +
                                " dimensions; expected 2, or 1 for a column";
    throw nb::value_error(message.c_str());
  }
  const nb::object data = interface["data"];
  made.data = reinterpret_cast<std::byte*>(nb::cast<std::uintptr_t>(data[0]));
  made.writable = !nb::cast<bool>(data[1]);
  const auto strides = nb::cast<std::vector<std::ptrdiff_t>>(array.attr("strides"));
  made.rows = shape[0];
  made.row_stride = strides[0];
  made.columns = shape.size() == 2 ? shape[1] : 1;
  made.column_stride =
      shape.size() == 2 ? strides[1] : static_cast<std::ptrdiff_t>(ts::element_size(made.type));
  made.owner = array;
  return made;
}

bool is_array(nb::handle object) { return nb::isinstance(object, numpy().attr("ndarray")); }

HostArray empty_array(std::size_t rows, std::size_t columns, ts::ElementType type) {
  return host_array(numpy().attr("empty")(nb::make_tuple(rows, columns), dtype_of(type)), "empty");
}

Source::Source(const HostElements& array, bool or_columns) : view_(array) {
  if (array.has_rows(false)) return;
  if (or_columns && array.has_rows(true)) {
    view_ = array.transposed();
    is_transposed_ = true;
  } else {
    view_ = rows_in(copied_, array);
    copy_elements(view_, array);
  }
}

detail::HostRows<const void> Source::rows() const {
  return {view_.data, view_.rows, view_.columns, view_.leading_dimension()};
}

detail::Operand uploaded(const ts::Stream& stream, const HostElements& array, bool or_columns) {
  return unlocked([&] {
    const Source source(array, or_columns);
    const auto rows = source.rows();
    detail::Operand made = detail::allocate(stream, array.type, rows.rows, rows.columns);
    detail::upload(made, rows);
    return source.is_transposed() ? detail::viewed(made, ts::Op::transpose) : made;
  });
}

void upload(const detail::Operand& to, const HostElements& from) {
  unlocked([&] { detail::upload(to, Source(from, false).rows()); });
}

void download(const detail::Operand& from, const HostElements& to) {
  unlocked([&] {
    if (to.has_rows(false)) {
      detail::to_host(from, {to.data, to.rows, to.columns, to.leading_dimension()});
    } else {
      std::vector<std::byte> memory;
      const HostElements rows = rows_in(memory, to);
      detail::to_host(from, {rows.data, rows.rows, rows.columns, rows.columns});
      copy_elements(to, rows);
    }
  });
}

}  // namespace tessera_py
