// The process lock by a mutex that is named after the process.
#include "runtime/process_lock.hpp"

#include <windows.h>

#include <string>

namespace tessera::inline v0::runtime {

ProcessLock::ProcessLock() {
  const std::wstring name = L"Local\\tessera-" + std::to_wstring(::GetCurrentProcessId());
  const HANDLE mutex = ::CreateMutexW(nullptr, FALSE, name.c_str());
  if (mutex != nullptr) ::WaitForSingleObject(mutex, INFINITE);
  lock_ = reinterpret_cast<std::intptr_t>(mutex);
}

ProcessLock::~ProcessLock() {
  if (lock_ == 0) return;
  const auto mutex = reinterpret_cast<HANDLE>(lock_);
  ::ReleaseMutex(mutex);
  ::CloseHandle(mutex);
}

}  // namespace tessera::inline v0::runtime
