// Products of matrices in host memory in Python.
#include "host_array.hpp"
#include "interruptible.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

[[noreturn]] void refuse(const char* name, const char* why) {
  const std::string message = std::string("multiply_host: ") + name + why;
  throw nb::value_error(message.c_str());
}

/// An input, or null if neither its rows nor its columns are contiguous.
std::optional<detail::HostOperand> operand_of(const HostElements& array) {
  const bool is_transposed = !array.has_rows(false);
  if (is_transposed && !array.has_rows(true)) return std::nullopt;
  const HostElements stored = is_transposed ? array.transposed() : array;
  return detail::HostOperand{stored.data,   array.rows,
                             array.columns, stored.leading_dimension(),
                             array.type,    is_transposed ? ts::Op::transpose : ts::Op::none,
                             false};
}

HostArray input(nb::handle array_like) {
  HostArray array = host_array(array_like, "multiply_host");
  if (operand_of(array)) return array;
  const nb::module_ numpy = nb::module_::import_("numpy");
  return host_array(numpy.attr("array")(array.owner, "order"_a = "C"), "multiply_host");
}

nb::tuple multiply_host(nb::handle a, nb::handle b, nb::handle out, Complex alpha, Complex beta,
                        std::string_view accuracy, std::vector<ts::Engine> devices,
                        std::uint64_t device_memory, nb::handle progress, nb::handle dtype) {
  const HostArray left = input(a), right = input(b);
  const auto type =
      dtype.is_none() ? ts::ProductTypes(left.type).c : element_type_of(dtype, "multiply_host");
  if (out.is_none() && beta != 0.0) refuse("beta", " needs out");
  const HostArray c = out.is_none() ? empty_array(left.rows, right.columns, type)
                                    : host_array(out, "multiply_host");
  if (!out.is_none() && !is_array(out)) refuse("out", " is not an array of NumPy");
  if (!c.writable) refuse("out", " is read-only");
  if (!c.has_rows(false)) refuse("out", " has rows that are not contiguous");
  const ts::CancelSource cancel;
  ts::HostProductOptions options{.alpha = alpha,
                                 .beta = beta,
                                 .accuracy = accuracy_of(accuracy),
                                 .devices = std::move(devices),
                                 .device_memory = device_memory,
                                 .cancel = cancel.token()};
  if (!progress.is_none()) {
    options.progress = [progress](const ts::HostProductProgress& state) {
      const nb::gil_scoped_acquire acquired;
      progress(state.tiles_done, state.tiles);
    };
  }
  const auto product = operand_of(c), first = operand_of(left), second = operand_of(right);
  auto report = interruptible(
      cancel, [&] { return detail::multiply_host(*product, *first, *second, options); });
  return nb::make_tuple(out.is_none() ? c.owner : nb::borrow(out), std::move(report));
}

}  // namespace

void bind_host_product(nb::module_& module) {
  using Device = ts::HostProductDevice;
  using Report = ts::HostProductReport;
  nb::class_<Device>(module, "HostProductDevice", "The share of one device in ``multiply_host()``.")
      .def_ro("engine", &Device::engine, "The device.")
      .def_ro("tiles", &Device::tiles, "Tiles that it computed.")
      .def_ro("bytes_in", &Device::bytes_in, "Bytes that were copied to it.")
      .def_ro("bytes_out", &Device::bytes_out, "Bytes that were copied from it.")
      .def_ro("in_place", &Device::in_place, "The device used the arrays without a copy.")
      .def_ro("failure", &Device::failure,
              "The error after which other devices computed its tiles, or empty.");
  nb::class_<Report>(module, "HostProductReport", "How ``multiply_host()`` divided a product.")
      .def_ro("devices", &Report::devices, "The share of each device.")
      .def_ro("tile_rows", &Report::tile_rows, "Rows of most tiles of the result.")
      .def_ro("tile_columns", &Report::tile_columns, "Columns of most tiles of the result.")
      .def_ro("depth", &Report::depth, "Depth of the parts of k that a tile is summed from.")
      .def_ro("seconds", &Report::seconds, "Seconds of the whole product.");
  module.def("multiply_host_arrays", multiply_host, "a"_a, "b"_a, "out"_a.none(), "alpha"_a,
             "beta"_a, "accuracy"_a, "devices"_a, "device_memory"_a, "progress"_a.none(),
             "dtype"_a.none(),
             nb::sig("def multiply_host_arrays(a: numpy.typing.ArrayLike, b:"
                     " numpy.typing.ArrayLike, out: numpy.typing.NDArray[typing.Any] | None, alpha:"
                     " complex, beta: complex, accuracy: str, devices:"
                     " collections.abc.Sequence[Engine], device_memory: int, progress:"
                     " collections.abc.Callable[[int, int], object] | None, dtype:"
                     " numpy.typing.DTypeLike | None) ->"
                     " tuple[numpy.typing.NDArray[typing.Any], HostProductReport]"),
             "The product of arrays in host memory, and a report.");
}

}  // namespace tessera_py
