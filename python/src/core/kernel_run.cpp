// Runs of kernels in Python.
#include "options.hpp"

namespace tessera_py {

void bind_kernel_run(nb::module_& module) {
  nb::class_<ts::KernelRun>(module, "KernelRun", "The kernel that ran, and why it was chosen.")
      .def_prop_ro("operation", &ts::KernelRun::operation, "The operation, such as ``multiply``.")
      .def_prop_ro("variant", &ts::KernelRun::variant, "The kernel's name.")
      .def_prop_ro("parameters", &ts::KernelRun::parameters, "The kernel's parameters.")
      .def_prop_ro(
          "kernel",
          [](const ts::KernelRun& run) {
            return to_string(ts::KernelChoice{run.variant(), run.parameters()});
          },
          "Variant and parameters as ``kernel=`` accepts them.")
      .def_prop_ro("reason", &ts::KernelRun::reason, "The reason for the choice.")
      .def_prop_ro("seconds", &ts::KernelRun::seconds, nb::call_guard<nb::gil_scoped_release>(),
                   "Device time; waits. None unless the engine was created with ``profiling``.")
      .def_prop_ro(
          "finished", [](const ts::KernelRun& run) { return run.finished; },
          "The event of its last command.")
      .def("__repr__", [](const ts::KernelRun& run) {
        return nb::str("KernelRun({}: {}; {})")
            .format(run.operation(), to_string(ts::KernelChoice{run.variant(), run.parameters()}),
                    run.reason());
      });
}

}  // namespace tessera_py
