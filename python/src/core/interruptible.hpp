// Long calls that Ctrl-C ends: they run in a thread, while the caller's thread handles signals.
#pragma once

#include <chrono>
#include <future>

#include "binding.hpp"

namespace tessera_py {

/// Holds an exception of Python that a signal handler raised.
using Interruption = std::optional<nb::python_error>;

/// Runs `work` in another thread without the GIL and returns its result, or throws what it throws.
/// If a signal handler raises meanwhile, requests `cancel`, waits for the end of `work`, and stores
/// the exception in `interruption`.
template <class Work>
auto interruptible(const ts::CancelSource& cancel, Interruption& interruption, Work work) {
  auto result = std::async(std::launch::async, std::move(work));
  {
    const nb::gil_scoped_release released;
    constexpr std::chrono::milliseconds kPause(50);
    while (result.wait_for(kPause) != std::future_status::ready) {
      const nb::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() == 0) continue;
      interruption.emplace();
      cancel.cancel();
    }
  }
  return result.get();
}

/// The same for work whose result does not matter after an interruption: throws the exception.
template <class Work>
auto interruptible(const ts::CancelSource& cancel, Work work) {
  Interruption interruption;
  const auto rethrown = [&] {
    if (interruption) throw std::move(*interruption);
  };
  try {
    auto result = interruptible(cancel, interruption, std::move(work));
    rethrown();
    return result;
  } catch (const ts::CancelledError&) {
    rethrown();
    throw;
  }
}

}  // namespace tessera_py
