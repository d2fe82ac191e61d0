/* Finds the BLAS that a caller would have used, through the caller's own object: Python's modules
 * are not in the global scope, where RTLD_NEXT looks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "front.h"

static int is_own(void* function) {
  Dl_info its, own;
  return function != NULL && dladdr(function, &its) != 0 && dladdr((void*)&is_own, &own) != 0 &&
         its.dli_fbase == own.dli_fbase;
}

/* The symbol of an object that is loaded; null if it has none, or this library's. */
static void* symbol_of(const char* file, int flags, const char* name) {
  void *function, *const object = dlopen(file, flags);
  if (object == NULL) return NULL;
  function = dlsym(object, name);
  return is_own(function) ? NULL : function;
}

static void* find(const char* name, void* caller) {
  void* function = NULL;
  Dl_info its;
  if (settings()->next != NULL) function = symbol_of(settings()->next, RTLD_NOW | RTLD_LOCAL, name);
  if (function == NULL) function = dlsym(RTLD_NEXT, name);
  if (is_own(function)) function = NULL;
  if (function == NULL && dladdr(caller, &its) != 0 && its.dli_fname != NULL)
    function = symbol_of(its.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL, name);
  return function;
}

void* next_function(Routine* routine, void* caller) {
  const size_t place = ((uintptr_t)caller >> 4 ^ (uintptr_t)caller >> 12) %
                       (sizeof routine->known / sizeof *routine->known);
  void **const key = &routine->known[place].caller, **const value = &routine->known[place].function;
  void* function;
  if (__atomic_load_n(key, __ATOMIC_ACQUIRE) == caller) {
    function = __atomic_load_n(value, __ATOMIC_ACQUIRE);
    /* Another thread may have replaced the function meanwhile. */
    if (__atomic_load_n(key, __ATOMIC_ACQUIRE) == caller) return function;
  }
  function = find(routine->name, caller);
  __atomic_store_n(key, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(value, function, __ATOMIC_RELEASE);
  __atomic_store_n(key, caller, __ATOMIC_RELEASE);
  return function;
}
