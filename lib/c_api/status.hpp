// Status: what a function of the C interface returns, and the errors that it gives.
#pragma once

#include <tessera/tessera.h>

#include <exception>
#include <memory>
#include <utility>

namespace tessera::c_api {

/// Gives the exception that is being handled as an error, and returns its status. `error` may be
/// null.
tessera_status failure(tessera_error** error) noexcept;

/// Calls a function. Returns the status of its exception, if it throws one.
template <class Function>
tessera_status guarded(tessera_error** error, Function&& function) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    function();
    return TESSERA_OK;
  } catch (...) {
    return failure(error);
  }
}

[[noreturn]] void refuse_null(const char* name);

/// Throws ArgumentError for a null pointer. `name` is the argument's.
inline void need(const void* pointer, const char* name) {
  if (pointer == nullptr) refuse_null(name);
}

/// Frees a handle, or null.
template <class Handle>
void destroy(Handle* handle) noexcept {
  const std::unique_ptr<Handle> owned(handle);
}

/// Gives a new handle of the result of `make`.
template <class Handle, class Make>
tessera_status create(Handle** handle, tessera_error** error, Make&& make) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return guarded(error, [&] {
    need(handle, "the place for the result");
    *handle = std::make_unique<Handle>(make()).release();
  });
}

/// Gives a number, or `otherwise` after a failure.
template <class Number, class Find>
tessera_status gives(Number* number, Number otherwise, tessera_error** error,
                     Find&& find) noexcept {
  if (number != nullptr) *number = otherwise;
  return guarded(error, [&] {
    need(number, "the place for the result");
    *number = find();
  });
}

/// Gives a handle of the result of `enqueue`, if the caller wants one. It is allocated before
/// anything is enqueued.
template <class Handle, class Enqueue>
tessera_status enqueue(Handle** handle, tessera_error** error, Enqueue&& enqueue) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return guarded(error, [&] {
    auto made = std::make_unique<Handle>();
    made->set(enqueue());
    if (handle != nullptr) *handle = made.release();
  });
}

}  // namespace tessera::c_api
