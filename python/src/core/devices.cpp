// Devices in Python.
#include <nanobind/stl/array.h>

#include "binding.hpp"

namespace tessera_py {

void bind_devices(nb::module_& module) {
  using Device = ts::DeviceInfo;
  nb::class_<Device>(module, "Device", "A device with its limits. Memory is in bytes.")
      .def_ro("selector", &Device::selector, "``\"0:1\"``: selects it for an Engine.")
      .def_ro("name", &Device::name, "The device's name.")
      .def_ro("vendor", &Device::vendor, "The vendor's name.")
      .def_ro("driver", &Device::driver, "The driver's version.")
      .def_ro("version", &Device::version, "As ``\"OpenCL 3.0 ...\"``.")
      .def_ro("platform", &Device::platform, "The platform's name.")
      .def_prop_ro(
          "type", [](const Device& device) { return to_string(device.type); },
          "``\"cpu\"``, ``\"gpu\"``, ``\"accelerator\"`` or ``\"other\"``.")
      .def_ro("compute_units", &Device::compute_units, "The number of compute units.")
      .def_ro("clock_mhz", &Device::clock_mhz, "0 if it is not reported.")
      .def_ro("global_memory", &Device::global_memory, "Bytes of memory.")
      .def_ro("max_allocation", &Device::max_allocation, "Bytes of the largest buffer.")
      .def_ro("local_memory", &Device::local_memory, "Bytes of local memory of a work-group.")
      .def_ro("max_work_group", &Device::max_work_group, "Work-items of the largest work-group.")
      .def_ro("has_double", &Device::has_double, "Whether it computes in float64.")
      .def_ro("extensions", &Device::extensions, "OpenCL's extensions.")
      .def("__repr__", [](const Device& device) {
        return nb::str("Device('{}', {})").format(device.selector, device.name);
      });
  module.def(
      "list_devices", [] { return unlocked([] { return ts::devices(); }); },
      "Returns all devices of all platforms, in clinfo's order.");
}

}  // namespace tessera_py
