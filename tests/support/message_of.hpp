// Message of the exception that a call throws.
#pragma once

#include <exception>
#include <string>

namespace tessera::test {

template <class Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace tessera::test
