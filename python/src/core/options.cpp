// Options: keyword arguments of Python as options of the library.
#include "options.hpp"

namespace tessera_py {

ts::Accuracy accuracy_of(std::string_view name) {
  return enumerator("accuracy", name, {ts::Accuracy::ieee, ts::Accuracy::bounded});
}

ts::KernelChoice kernel_of(nb::handle kernel) {
  if (kernel.is_none()) return {};
  std::string text;
  if (nb::try_cast(kernel, text)) return ts::parse_kernel(text);
  if (nb::isinstance<nb::tuple>(kernel) && nb::len(kernel) == 2) {
    return {argument<std::string>(kernel[0], "kernel"),
            argument<ts::Parameters>(kernel[1], "kernel")};
  }
  throw nb::type_error("kernel: expected a str, or a tuple of a str and a dict of parameters");
}

std::uintptr_t handle_of(nb::handle object, const char* what) {
  std::uintptr_t handle = 0;
  // These have an `int_ptr` too, and its type is not known to be the expected one.
  const bool is_own = nb::isinstance<Matrix>(object) || nb::isinstance<ts::Stream>(object) ||
                      nb::isinstance<ts::Event>(object);
  const nb::object number =
      nb::hasattr(object, "int_ptr") ? nb::object(object.attr("int_ptr")) : nb::borrow(object);
  if (is_own || !nb::try_cast(number, handle) || handle == 0) {
    const std::string message =
        std::string(what) + ": expected an object of pyopencl or its int_ptr";
    throw nb::type_error(message.c_str());
  }
  return handle;
}

std::vector<ts::Event> events_of(nb::handle events) {
  std::vector<ts::Event> all;
  if (events.is_none()) return all;
  for (nb::handle event : events) {
    if (nb::isinstance<ts::Event>(event)) {
      all.push_back(nb::cast<ts::Event>(event));
    } else {
      all.push_back(ts::interop::event(reinterpret_cast<cl_event>(handle_of(event, "wait_for"))));
    }
  }
  return all;
}

ts::MultiplyOptions product_options(const ts::Scalar& alpha, const ts::Scalar& beta,
                                    std::string_view accuracy, nb::handle kernel,
                                    const std::optional<ts::Stream>& stream, nb::handle wait_for) {
  return {.alpha = alpha,
          .beta = beta,
          .kernel = kernel_of(kernel),
          .accuracy = accuracy_of(accuracy),
          .wait_for = events_of(wait_for),
          .stream = stream};
}

}  // namespace tessera_py
