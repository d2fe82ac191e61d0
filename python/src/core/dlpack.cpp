// DLPack: matrices as tensors of OpenCL or of the host, and tensors as matrices.
#include "dlpack.hpp"

#include <array>
#include <memory>

#include "conversion.hpp"

namespace tessera_py {
namespace {

dlpack::DataType type_of(ts::ElementType type) {
  const auto bits = static_cast<std::uint8_t>(8 * ts::element_size(type));
  const bool is_integer = type == ts::ElementType::int8 || type == ts::ElementType::int32;
  return {type == ts::ElementType::bfloat16 ? dlpack::kBfloat
          : is_complex(type)                ? dlpack::kComplex
          : is_integer                      ? dlpack::kInt
                                            : dlpack::kFloat,
          bits, 1};
}

ts::ElementType element_type_of(const dlpack::DataType& type) {
  for (const auto one :
       {ts::ElementType::float16, ts::ElementType::bfloat16, ts::ElementType::float32,
        ts::ElementType::float64, ts::ElementType::int8, ts::ElementType::int32,
        ts::ElementType::complex64, ts::ElementType::complex128}) {
    const auto known = type_of(one);
    if (known.code == type.code && known.bits == type.bits && type.lanes == 1) return one;
  }
  const std::string message = "from_dlpack: the type of code " + std::to_string(type.code) +
                              " with " + std::to_string(type.bits) +
                              " bits is not supported; expected float16, bfloat16, float32, "
                              "float64, int8, int32, complex64 or complex128";
  throw nb::type_error(message.c_str());
}

/// An exported tensor and what it needs.
struct Exported {
  detail::Operand operand = {};          ///< of a tensor of OpenCL
  std::vector<std::byte> elements = {};  ///< of a tensor of the host
  PyObject* owner = nullptr;
  std::array<std::int64_t, 2> shape = {}, strides = {};

  ~Exported() {
    if (owner == nullptr) return;
    const nb::gil_scoped_acquire acquired;
    Py_DECREF(owner);
  }
};

template <class Struct>
void release(Struct* managed) {
  delete static_cast<Exported*>(managed->context);
  delete managed;
}
template <class Struct>
void release_unused(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;  // a consumer took it
  auto* const managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}
void release_managed(PyObject* capsule) { release_unused<dlpack::Managed>(capsule, dlpack::kName); }
void release_versioned(PyObject* capsule) {
  release_unused<dlpack::ManagedVersioned>(capsule, dlpack::kVersionedName);
}

template <class Struct>
nb::object capsule_of(std::unique_ptr<Exported> exported, const dlpack::Tensor& tensor,
                      std::uint64_t flags) {
  auto managed = std::make_unique<Struct>();
  managed->tensor = tensor;
  managed->tensor.shape = exported->shape.data();
  managed->tensor.strides = exported->strides.data();
  managed->context = exported.release();
  managed->deleter = release<Struct>;
  constexpr bool is_versioned = std::is_same_v<Struct, dlpack::ManagedVersioned>;
  if constexpr (is_versioned) {
    managed->version = {1, 0};
    managed->flags = flags;
  }
  PyObject* const capsule =
      PyCapsule_New(managed.get(), is_versioned ? dlpack::kVersionedName : dlpack::kName,
                    is_versioned ? release_versioned : release_managed);
  if (capsule == nullptr) {
    release(managed.release());
    nb::raise_python_error();
  }
  managed.release();
  return nb::steal(capsule);
}

/// A tensor that another library exported; it is released with the last owner.
struct Imported {
  const dlpack::Tensor* tensor;
  bool is_read_only;
  nb::object owner;
};

template <class Struct>
Imported imported(const nb::object& capsule, const char* name, const char* used_name) {
  auto* const managed = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  nb::capsule owner(managed, [](void* held) noexcept {
    auto* const owned = static_cast<Struct*>(held);
    if (owned->deleter != nullptr) owned->deleter(owned);
  });
  if (PyCapsule_SetName(capsule.ptr(), used_name) != 0) nb::raise_python_error();
  bool is_read_only = false;
  if constexpr (std::is_same_v<Struct, dlpack::ManagedVersioned>)
    is_read_only = (managed->flags & dlpack::kReadOnly) != 0;
  return {&managed->tensor, is_read_only, std::move(owner)};
}

Imported imported(nb::handle object) {
  nb::object capsule;
  try {
    capsule = object.attr("__dlpack__")("max_version"_a = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = object.attr("__dlpack__")();  // an exporter of DLPack 0
  }
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kVersionedName) != 0)
    return imported<dlpack::ManagedVersioned>(capsule, dlpack::kVersionedName,
                                              dlpack::kUsedVersionedName);
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kName) != 0)
    return imported<dlpack::Managed>(capsule, dlpack::kName, dlpack::kUsedName);
  throw nb::type_error("from_dlpack: __dlpack__() returned no tensor");
}

/// The elements of a tensor of one or two dimensions; `data` is the host's, or null.
HostElements elements_of(const dlpack::Tensor& tensor, std::byte* data) {
  if (tensor.ndim != 1 && tensor.ndim != 2)
    throw nb::value_error("from_dlpack: expected 2 dimensions, or 1 for a column");
  const bool is_matrix = tensor.ndim == 2;
  HostElements made;
  made.type = element_type_of(tensor.dtype);
  const auto size = static_cast<std::ptrdiff_t>(ts::element_size(made.type));
  made.rows = static_cast<std::size_t>(tensor.shape[0]);
  made.columns = is_matrix ? static_cast<std::size_t>(tensor.shape[1]) : 1;
  const auto columns = static_cast<std::ptrdiff_t>(made.columns);
  made.row_stride = size * (tensor.strides != nullptr ? tensor.strides[0] : columns);
  made.column_stride = size * (tensor.strides != nullptr && is_matrix ? tensor.strides[1] : 1);
  made.data = data;
  return made;
}

Matrix viewed(const ts::Stream& stream, const Imported& imported) {
  const dlpack::Tensor& tensor = *imported.tensor;
  HostElements view = elements_of(tensor, nullptr);
  const bool is_transposed = !view.has_rows(false);
  if (is_transposed) view = view.transposed();
  const std::size_t size = ts::element_size(view.type);
  if (!view.has_rows(false) || tensor.byte_offset % size != 0)
    throw nb::value_error("from_dlpack: neither rows nor columns of the tensor are contiguous");
  detail::Operand operand =
      detail::adopt(stream, static_cast<cl_mem>(tensor.data), view.type, tensor.byte_offset / size,
                    view.rows, view.columns, view.leading_dimension());
  if (is_transposed) operand = detail::viewed(operand, ts::Op::transpose);
  // A matrix can be written, so the elements of a read-only tensor are copied. The tensor is
  // released when this returns.
  if (imported.is_read_only) {
    return {unlocked([&] {
      detail::Operand copied = detail::copy(operand);
      detail::stream_of(copied).finish();
      return copied;
    })};
  }
  return {std::move(operand), {}, imported.owner};
}

}  // namespace

Matrix from_dlpack(const ts::Stream& stream, nb::handle object) {
  const Imported tensor = imported(object);
  if (tensor.tensor->device.type == kDlpackOpenCl) return viewed(stream, tensor);
  if (tensor.tensor->device.type != kDlpackCpu)
    throw nb::value_error("from_dlpack: expected a tensor of OpenCL or of the CPU");
  auto* const data = static_cast<std::byte*>(tensor.tensor->data) + tensor.tensor->byte_offset;
  return {uploaded(stream, elements_of(*tensor.tensor, data), false)};
}

nb::object to_dlpack(const Matrix& matrix, nb::handle max_version, nb::handle dl_device,
                     nb::handle copy) {
  const detail::Operand& operand = matrix.operand;
  const std::size_t size = ts::element_size(operand.type);
  int device = kDlpackOpenCl;
  if (!dl_device.is_none()) device = nb::cast<int>(dl_device[0]);
  auto exported = std::make_unique<Exported>();
  exported->shape = {static_cast<std::int64_t>(operand.rows()),
                     static_cast<std::int64_t>(operand.columns())};
  dlpack::Tensor tensor{nullptr, {device, 0}, 2, type_of(operand.type), nullptr, nullptr, 0};
  const bool never_copy = !copy.is_none() && !nb::cast<bool>(copy);
  const bool always_copy = !copy.is_none() && nb::cast<bool>(copy);
  if (device == kDlpackCpu) {
    if (never_copy) throw nb::buffer_error("__dlpack__: the CPU needs a copy, and copy is False");
    exported->elements.resize(operand.rows() * operand.columns() * size);
    unlocked(
        [&] { detail::to_host(operand, detail::rows_for(operand, exported->elements.data())); });
    exported->strides = {exported->shape[1], 1};
    tensor.data = exported->elements.data();
  } else if (device == kDlpackOpenCl) {
    if (!always_copy && is_conjugated(operand.op))
      throw nb::buffer_error("__dlpack__: the view is conjugated; copy() it first");
    exported->operand = unlocked([&] {
      detail::Operand kept = always_copy ? detail::copy(operand) : operand;
      // The consumer may read it on any queue.
      ts::Engine(detail::stream_of(kept)).finish();
      return kept;
    });
    const detail::Operand& kept = exported->operand;
    const auto leading = static_cast<std::int64_t>(kept.leading_dimension);
    exported->strides = {leading, 1};
    if (is_transposed(kept.op)) exported->strides = {1, leading};
    tensor.data = detail::buffer(kept);
    tensor.byte_offset = kept.offset * size;
    if (!always_copy) exported->owner = nb::object(matrix.owner).release().ptr();
  } else {
    throw nb::buffer_error("__dlpack__: expected OpenCL or the CPU as device");
  }
  const bool is_copied = device == kDlpackCpu || always_copy;
  if (!max_version.is_none() && nb::cast<int>(max_version[0]) >= 1)
    return capsule_of<dlpack::ManagedVersioned>(std::move(exported), tensor,
                                                is_copied ? dlpack::kIsCopied : 0);
  return capsule_of<dlpack::Managed>(std::move(exported), tensor, 0);
}

}  // namespace tessera_py
