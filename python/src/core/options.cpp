// Options: keyword arguments of Python as options of the library.
#include "options.hpp"

#include <charconv>
#include <sstream>

namespace tessera_py {
namespace {

[[noreturn]] void wrong_kernel(const std::string& text) {
  const std::string message = "kernel: invalid choice '" + text +
                              "'; expected a variant and parameters, as 'tiled_static TILE=16'";
  throw nb::value_error(message.c_str());
}

ts::KernelChoice parsed_kernel(const std::string& text) {
  ts::KernelChoice choice;
  std::istringstream words(text);
  words >> choice.variant;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) wrong_kernel(text);
    int value = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data() + equals + 1, end, value);
    if (error != std::errc() || last != end) wrong_kernel(text);
    choice.parameters[word.substr(0, equals)] = value;
  }
  return choice;
}

}  // namespace

ts::Accuracy accuracy_of(std::string_view name) {
  return enumerator("accuracy", name, {ts::Accuracy::ieee, ts::Accuracy::bounded});
}

ts::KernelChoice kernel_of(nb::handle kernel) {
  if (kernel.is_none()) return {};
  std::string text;
  if (nb::try_cast(kernel, text)) return parsed_kernel(text);
  if (nb::isinstance<nb::tuple>(kernel) && nb::len(kernel) == 2) {
    return {nb::cast<std::string>(kernel[0]), nb::cast<ts::Parameters>(kernel[1])};
  }
  throw nb::type_error("kernel: expected a str, or a tuple of a str and a dict of parameters");
}

std::string text_of(const std::string& variant, const ts::Parameters& parameters) {
  std::string text = variant;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + std::to_string(value);
  return text;
}

std::uintptr_t handle_of(nb::handle object, const char* what) {
  std::uintptr_t handle = 0;
  const nb::object number =
      nb::hasattr(object, "int_ptr") ? nb::object(object.attr("int_ptr")) : nb::borrow(object);
  if (!nb::try_cast(number, handle) || handle == 0) {
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

ts::MultiplyOptions product_options(double alpha, double beta, std::string_view accuracy,
                                    nb::handle kernel, const std::optional<ts::Stream>& stream,
                                    nb::handle wait_for) {
  return {.alpha = alpha,
          .beta = beta,
          .kernel = kernel_of(kernel),
          .accuracy = accuracy_of(accuracy),
          .wait_for = events_of(wait_for),
          .stream = stream};
}

}  // namespace tessera_py
