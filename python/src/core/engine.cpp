// Engines in Python.
#include "host_array.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

namespace interop = ts::interop;
using ts::Engine;

template <class Handle>
std::uintptr_t number(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}
cl_command_queue queue_of(nb::handle object) {
  return reinterpret_cast<cl_command_queue>(handle_of(object, "queue"));
}

std::string selector_of(nb::handle device) {
  if (nb::isinstance<ts::DeviceInfo>(device)) return nb::cast<ts::DeviceInfo>(device).selector;
  std::string selector;
  if (!nb::try_cast(device, selector)) throw nb::type_error("device: expected a str or a Device");
  return selector;
}

Engine adopted(nb::handle queue_or_context, nb::handle device) {
  if (device.is_none()) {
    cl_command_queue queue = queue_of(queue_or_context);
    return unlocked([&] { return interop::adopt(queue); });
  }
  const auto context = reinterpret_cast<cl_context>(handle_of(queue_or_context, "context"));
  const auto id = reinterpret_cast<cl_device_id>(handle_of(device, "device"));
  return unlocked([&] { return interop::adopt(context, id); });
}

std::pair<std::size_t, std::size_t> shape_of(nb::handle shape) {
  if (!nb::isinstance<nb::sequence>(shape) || nb::len(shape) != 2)
    throw nb::value_error("shape: expected two sizes, rows and columns");
  return {argument<std::size_t>(shape[0], "shape"), argument<std::size_t>(shape[1], "shape")};
}

Matrix from_buffer(const Engine& engine, nb::handle buffer, nb::handle shape, nb::handle dtype,
                   std::size_t offset, std::optional<std::size_t> leading_dimension,
                   const std::optional<ts::Stream>& stream) {
  const auto [rows, columns] = shape_of(shape);
  return {detail::adopt(stream.value_or(engine.stream()),
                        reinterpret_cast<cl_mem>(handle_of(buffer, "buffer")),
                        element_type_of(dtype, "from_buffer"), offset, rows, columns,
                        leading_dimension.value_or(columns)),
          {},
          nb::borrow(buffer)};
}

void bind_memory_use(nb::module_& module) {
  nb::class_<ts::MemoryUse>(module, "MemoryUse", "Device memory of an engine's context, in bytes.")
      .def_ro("live", &ts::MemoryUse::live, "Bytes of matrices.")
      .def_ro("scratch", &ts::MemoryUse::scratch, "Bytes that operations work in.")
      .def_ro("capacity", &ts::MemoryUse::capacity, "Bytes of the device.")
      .def("__repr__", [](const ts::MemoryUse& use) {
        return nb::str("MemoryUse(live={}, scratch={}, capacity={})")
            .format(use.live, use.scratch, use.capacity);
      });
}

void bind_making(nb::class_<Engine>& engine) {
  engine
      .def(
          "__init__",
          [](Engine* self, nb::handle device_or_selector, bool profiling, std::string profile) {
            std::string device = selector_of(device_or_selector);
            const nb::gil_scoped_release released;
            new (self) Engine(ts::EngineOptions{.device = std::move(device),
                                                .profiling = profiling,
                                                .profile = std::move(profile)});
          },
          "device"_a = "", nb::kw_only(), "profiling"_a = false, "profile"_a = "",
          nb::sig("def __init__(self, device: str | Device = '', *, profiling: bool = False,"
                  " profile: str = '') -> None"),
          "Args:\n"
          "    device: a Device, ``\"gpu\"``, ``\"cpu\"``, ``\"0:1\"`` (platform and device), or "
          "a\n"
          "        part of a name. Empty: ``$TESSERA_DEVICE``, or else the fastest device.\n"
          "    profiling: products report device times.\n"
          "    profile: tuned kernels: a ``.jsonl`` file, a folder, or ``\"off\"``.\n\n"
          "Raises:\n    DeviceError: no device matches; the message lists those that exist.")
      .def_static(
          "adopt", adopted, "queue_or_context"_a, "device"_a = nb::none(),
          nb::sig("def adopt(queue_or_context: typing.Any, device: typing.Any = None)"
                  " -> Engine"),
          "Returns an engine on a queue, or on a context and a device, of pyopencl.\n\n"
          "The engine's own stream is the queue. Objects or their ``int_ptr`` are accepted.\n\n"
          "Raises:\n    ArgumentError: the queue is out-of-order, or the device is not\n"
          "        the context's.")
      .def(
          "adopt_stream",
          [](const Engine& engine, nb::handle queue) {
            return interop::adopt(engine, queue_of(queue));
          },
          "queue"_a, nb::sig("def adopt_stream(self, queue: typing.Any) -> Stream"),
          "Returns another stream of the engine, on a queue with the same context and device.");
}

void bind_state(nb::class_<Engine>& engine) {
  engine.def_prop_ro("device", &Engine::device, nb::rv_policy::copy, "The device.")
      .def_prop_ro("stream", &Engine::stream, nb::rv_policy::copy, "The engine's own stream.")
      .def("new_stream", &Engine::new_stream, nb::call_guard<nb::gil_scoped_release>(),
           "Returns a new stream, which runs concurrently with the others.")
      .def("finish", &Engine::finish, nb::call_guard<nb::gil_scoped_release>(),
           "Waits for everything enqueued on any stream.\n\n"
           "Raises:\n    OpenClError: a command failed.")
      .def_prop_ro("lost", &Engine::lost, nb::call_guard<nb::gil_scoped_release>(),
                   "Whether the device no longer works after an error. Waits for a transfer.")
      .def_prop_ro("memory", &Engine::memory, "Device memory in use.")
      .def("release_scratch", &Engine::release_scratch, nb::call_guard<nb::gil_scoped_release>(),
           "Frees the scratch memory of all streams once the commands that use it have ended.")
      .def(
          "__eq__",
          [](const Engine& a, nb::handle b) {
            return nb::isinstance<Engine>(b) && a == nb::cast<const Engine&>(b);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Engine& engine) {
             return static_cast<std::intptr_t>(number(interop::queue(engine)) >> 4);
           })
      .def("__repr__", [](const Engine& engine) {
        const auto& device = engine.device();
        return nb::str("Engine('{}', {})").format(device.selector, device.name);
      });
}

void bind_matrices(nb::class_<Engine>& engine) {
  engine
      .def(
          "empty",
          [](const Engine& engine, nb::handle shape, nb::handle dtype,
             const std::optional<ts::Stream>& stream) {
            const auto [rows, columns] = shape_of(shape);
            const ts::ElementType type = element_type_of(dtype, "empty");
            return Matrix{unlocked([&, rows = rows, columns = columns] {
              return detail::allocate(stream.value_or(engine.stream()), type, rows, columns);
            })};
          },
          "shape"_a, "dtype"_a = "float32", nb::kw_only(), "stream"_a = nb::none(),
          nb::sig("def empty(self, shape: tuple[int, int], dtype: numpy.typing.DTypeLike ="
                  " 'float32', *, stream: Stream | None = None) -> Matrix"),
          "Returns a matrix whose elements are undefined until something writes them.\n\n"
          "Raises:\n    DeviceMemoryError: the device cannot hold it.")
      .def("from_buffer", from_buffer, "buffer"_a, "shape"_a, "dtype"_a = "float32", nb::kw_only(),
           "offset"_a = 0, "leading_dimension"_a = nb::none(), "stream"_a = nb::none(),
           nb::sig("def from_buffer(self, buffer: typing.Any, shape: tuple[int, int], dtype:"
                   " numpy.typing.DTypeLike = 'float32', *, offset: int = 0, leading_dimension:"
                   " int | None = None, stream: Stream | None = None) -> Matrix"),
           "Returns a matrix on a buffer of pyopencl, or of an ``int_ptr``, without a copy.\n\n"
           "Element (i, j) is at index ``offset + i * leading_dimension + j``.\n\n"
           "Raises:\n    MatrixError: the buffer is too small.\n"
           "    ArgumentError: it belongs to another context.");
}

void bind_handles(nb::class_<Engine>& engine) {
  engine
      .def_prop_ro(
          "context",
          [](const Engine& engine) {
            return call_python("tessera_cl._pyopencl", "context", number(interop::context(engine)));
          },
          nb::sig("def context(self) -> typing.Any"),
          "The engine's context as a ``pyopencl.Context``. Needs pyopencl.")
      .def_prop_ro(
          "queue",
          [](const Engine& engine) {
            return call_python("tessera_cl._pyopencl", "queue", number(interop::queue(engine)));
          },
          nb::sig("def queue(self) -> typing.Any"),
          "The queue of the engine's own stream as a ``pyopencl.CommandQueue``. Needs pyopencl.");
}

}  // namespace

void bind_engine(nb::module_& module) {
  bind_memory_use(module);
  nb::class_<Engine> engine(
      module, "Engine",
      "A device that is ready for use, with its programs, streams and memory.\n\n"
      "Safe to use from several threads. A process that is forked after the first\n"
      "use of OpenCL cannot use it: every call raises DeviceError there.\n\n"
      ">>> import tessera_cl as ts\n"
      ">>> e = ts.Engine()\n"
      ">>> e.asmatrix([[1.0, 2.0], [3.0, 4.0]]).shape\n"
      "(2, 2)");
  bind_making(engine);
  bind_state(engine);
  bind_matrices(engine);
  bind_handles(engine);
}

}  // namespace tessera_py
