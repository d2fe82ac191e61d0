// Errors of the C interface, from exceptions.
#include "c_api/status.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tessera/tessera.hpp>

struct tessera_error {
  tessera_status status;
  std::int32_t opencl_code;
  std::string message, log;
};

namespace tessera::c_api {
namespace {

/// The error if there is no memory for one.
tessera_error no_memory{TESSERA_ERROR_OUT_OF_HOST_MEMORY, 0, "out of memory", ""};

tessera_status give(tessera_error** error, tessera_status status, const char* message,
                    std::int32_t opencl_code = 0, const std::string& log = {}) noexcept {
  if (error == nullptr) return status;
  try {
    *error =
        std::make_unique<tessera_error>(status, opencl_code, std::string(message), log).release();
  } catch (const std::bad_alloc&) {
    *error = &no_memory;
    return no_memory.status;
  }
  return status;
}

tessera_status status_of(const Error& error) { return static_cast<tessera_status>(error.code()); }

}  // namespace

tessera_status failure(tessera_error** error) noexcept {
  try {
    throw;
  } catch (const OpenClError& failure) {
    return give(error, status_of(failure), failure.what(), failure.opencl_code());
  } catch (const BuildError& failure) {
    return give(error, status_of(failure), failure.what(), 0, failure.log());
  } catch (const Error& failure) {
    return give(error, status_of(failure), failure.what());
  } catch (const std::bad_alloc&) {
    return give(error, TESSERA_ERROR_OUT_OF_HOST_MEMORY, "out of memory");
  } catch (const std::length_error& failure) {
    return give(error, TESSERA_ERROR_OUT_OF_HOST_MEMORY, failure.what());
  } catch (const std::system_error& failure) {  // no further thread
    return give(error, TESSERA_ERROR_OUT_OF_HOST_MEMORY, failure.what());
  } catch (const std::exception& failure) {
    return give(error, TESSERA_ERROR_INTERNAL, failure.what());
  } catch (...) {
    return give(error, TESSERA_ERROR_INTERNAL, "unknown exception");
  }
}

void refuse_null(const char* name) {
  throw ArgumentError(ErrorCode::invalid_value, std::string(name) + " is NULL");
}

}  // namespace tessera::c_api

std::int32_t tessera_version(void) { return tessera::version().number(); }

const char* tessera_status_name(tessera_status status) {
  if (status == TESSERA_OK) return "ok";
  if (status == TESSERA_ERROR_INTERNAL) return "internal_error";
  // A literal: it ends with 0.
  return tessera::to_string(static_cast<tessera::ErrorCode>(status)).data();
}

tessera_status tessera_error_status(const tessera_error* error) {
  return error != nullptr ? error->status : TESSERA_OK;
}
const char* tessera_error_message(const tessera_error* error) {
  return error != nullptr ? error->message.c_str() : "";
}
std::int32_t tessera_error_opencl_code(const tessera_error* error) {
  return error != nullptr ? error->opencl_code : 0;
}
const char* tessera_error_log(const tessera_error* error) {
  return error != nullptr ? error->log.c_str() : "";
}
void tessera_error_destroy(tessera_error* error) {
  if (error != &tessera::c_api::no_memory) tessera::c_api::destroy(error);
}
