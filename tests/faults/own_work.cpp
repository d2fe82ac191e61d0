#include "own_work.hpp"

#include <dlfcn.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local bool counting_own_work = false;
thread_local long own_allocations = 0, own_look_ups = 0, failing_allocation = -1;

std::atomic<void (*)(const void*, std::size_t)> watch = nullptr;

void free_watched(void* memory) noexcept {
  if (const auto watching = watch.load(); watching != nullptr && memory != nullptr)
    watching(memory, malloc_usable_size(memory));
  std::free(memory);
}

void* allocate(std::size_t bytes) noexcept {
  if (counting_own_work && tessera::test::OpenClCall::depth == 0 &&
      own_allocations++ == failing_allocation)
    return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace

// NOLINTBEGIN: the replaceable functions of the language, and one of the C library's
void* operator new(std::size_t bytes) {
  void* const memory = allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* memory) noexcept { free_watched(memory); }
void operator delete[](void* memory) noexcept { free_watched(memory); }
void operator delete(void* memory, std::size_t) noexcept { free_watched(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free_watched(memory); }

extern "C" char* getenv(const char* name) noexcept {
  static const auto real = reinterpret_cast<char* (*)(const char*)>(dlsym(RTLD_NEXT, "getenv"));
  if (counting_own_work && tessera::test::OpenClCall::depth == 0) own_look_ups++;
  return real(name);
}
// NOLINTEND

namespace tessera::test {

void watch_frees(void (*callee)(const void* memory, std::size_t bytes)) { watch = callee; }

void count_own_work() { fail_allocation(-1); }
void fail_allocation(long number) {
  own_allocations = own_look_ups = 0;
  failing_allocation = number;
  counting_own_work = true;
}
void allow_allocations() { counting_own_work = false; }
long allocations() { return own_allocations; }
long look_ups() { return own_look_ups; }

}  // namespace tessera::test
