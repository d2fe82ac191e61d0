// Streams and events in Python.
#include "options.hpp"

namespace tessera_py {
namespace {

namespace interop = ts::interop;

std::uintptr_t number(cl_command_queue queue) { return reinterpret_cast<std::uintptr_t>(queue); }

void bind_event(nb::module_& module) {
  nb::class_<ts::Event>(module, "Event",
                        "The completion of a command. An Event of no command is complete.")
      .def(nb::init<>())
      .def_static(
          "adopt",
          [](nb::handle event) {
            return interop::event(reinterpret_cast<cl_event>(handle_of(event, "event")));
          },
          "event"_a, nb::sig("def adopt(event: typing.Any) -> Event"),
          "Returns an event of pyopencl, or of an ``int_ptr``, as one of this package.")
      .def(
          "wait", [](const ts::Event& event) { unlocked([&] { event.wait(); }); },
          "Waits until the command has ended.\n\nRaises:\n    OpenClError: the command failed.")
      .def_prop_ro(
          "complete",
          [](const ts::Event& event) { return unlocked([&] { return event.complete(); }); },
          "Whether the command has ended; does not wait.")
      .def_prop_ro(
          "int_ptr",
          [](const ts::Event& event) {
            return reinterpret_cast<std::uintptr_t>(interop::handle(event));
          },
          "The ``cl_event`` as an integer, not retained; 0 for an event of no command.");
}

void bind_stream(nb::module_& module) {
  nb::class_<ts::Stream>(
      module, "Stream",
      "An in-order queue of an engine. Streams of one engine run concurrently.\n\n"
      "``Engine.stream`` is an engine's own stream, and ``Engine.new_stream()`` makes another.")
      .def(
          "finish", [](const ts::Stream& stream) { unlocked([&] { stream.finish(); }); },
          "Waits for everything enqueued on the stream.\n\n"
          "Raises:\n    OpenClError: a command failed.")
      .def(
          "wait_for",
          [](const ts::Stream& stream, nb::handle events) {
            const auto all = events_of(events);
            unlocked([&] { stream.wait_for(all); });
          },
          "events"_a,
          nb::sig("def wait_for(self, events: collections.abc.Iterable[typing.Any]) -> None"),
          "Lets everything that is enqueued from now on wait for events, also of pyopencl.")
      .def_prop_ro(
          "engine", [](const ts::Stream& stream) { return ts::Engine(stream); },
          "The engine that the stream belongs to.")
      .def_prop_ro(
          "int_ptr", [](const ts::Stream& stream) { return number(interop::queue(stream)); },
          "The ``cl_command_queue`` as an integer, not retained.")
      .def(
          "__eq__",
          [](const ts::Stream& a, nb::handle b) {
            return nb::isinstance<ts::Stream>(b) && a == nb::cast<const ts::Stream&>(b);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const ts::Stream& stream) {
             return static_cast<std::intptr_t>(number(interop::queue(stream)) >> 4);
           })
      .def_prop_ro(
          "queue",
          [](const ts::Stream& stream) {
            return call_python("tessera_cl._pyopencl", "queue", number(interop::queue(stream)));
          },
          nb::sig("def queue(self) -> typing.Any"),
          "The stream's queue as a ``pyopencl.CommandQueue``. Needs pyopencl.");
}

}  // namespace

void bind_streams(nb::module_& module) {
  bind_event(module);
  bind_stream(module);
}

}  // namespace tessera_py
