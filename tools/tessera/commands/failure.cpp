// Exit statuses of errors.
#include "commands/failure.hpp"

#include <filesystem>
#include <new>
#include <system_error>
#include <tessera/error.hpp>

#include "commands/command.hpp"

namespace tessera::tool {
namespace {

template <class... Errors>
bool is_any_of(const std::exception& error) {
  return ((dynamic_cast<const Errors*>(&error) != nullptr) || ...);
}

}  // namespace

Failure failure_of(const std::exception& error) {
  if (const auto* foreign = dynamic_cast<const ForeignFailure*>(&error))
    return {foreign->status(), foreign->what()};
  if (is_any_of<std::bad_alloc>(error)) return {opencl_failed, "not enough memory on the host"};
  if (is_any_of<DeviceError>(error)) return {no_device, error.what()};
  if (is_any_of<OpenClError, BuildError, MemoryError>(error)) return {opencl_failed, error.what()};
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && !is_any_of<std::filesystem::filesystem_error>(error))
    return {bad_usage, "standard output: " + system->code().message()};  // fmt could not print
  return {bad_usage, error.what()};
}

}  // namespace tessera::tool
