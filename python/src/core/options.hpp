// Options: keyword arguments of Python as options of the library.
#pragma once

#include "binding.hpp"

namespace tessera_py {

/// A keyword argument as a value of C++. Raises ValueError if it is none, or is out of range.
template <class T>
T argument(nb::handle value, const char* name) {
  T result{};
  if (nb::try_cast(value, result)) return result;
  const std::string text = std::string(name) + ": invalid value " + nb::repr(value).c_str();
  throw nb::value_error(text.c_str());
}

/// The enumerator that to_string() gives this name. Throws ArgumentError, which lists all names.
template <class Enum>
Enum enumerator(const char* argument, std::string_view name, std::initializer_list<Enum> all) {
  std::string names;
  for (const Enum one : all) {
    if (to_string(one) == name) return one;
    names += (names.empty() ? "'" : ", '") + std::string(to_string(one)) + "'";
  }
  const std::string text =
      std::string(argument) + ": invalid value '" + std::string(name) + "'; expected " + names;
  throw ts::ArgumentError(ts::ErrorCode::invalid_value, text);
}

ts::Accuracy accuracy_of(std::string_view name);

/// None, a text such as "tiled_static TILE=16", or a variant and a dict of parameters.
ts::KernelChoice kernel_of(nb::handle kernel);

/// Event objects, and objects of pyopencl with an attribute `int_ptr`.
std::vector<ts::Event> events_of(nb::handle events);

/// An integer, or the attribute `int_ptr` of an object of pyopencl. Raises TypeError for others.
std::uintptr_t handle_of(nb::handle object, const char* what);

/// The keyword arguments that all products have.
ts::MultiplyOptions product_options(const ts::Scalar& alpha, const ts::Scalar& beta,
                                    std::string_view accuracy, nb::handle kernel,
                                    const std::optional<ts::Stream>& stream, nb::handle wait_for);

}  // namespace tessera_py
