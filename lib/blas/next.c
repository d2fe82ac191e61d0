/* Finds the BLAS that a caller would have used, through the caller's own object: Python's modules
 * are not in the global scope, where RTLD_NEXT looks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
  if (function != NULL && !is_own(function)) return function; /* the object stays loaded */
  (void)dlclose(object);
  return NULL;
}

typedef struct Names {
  char* names[512];
  size_t count;
} Names;
static int add_name(struct dl_phdr_info* object, size_t size, void* to) {
  Names* const names = to;
  (void)size;
  if (object->dlpi_name != NULL && object->dlpi_name[0] != '\0' && names->count < 512)
    names->names[names->count++] = strdup(object->dlpi_name);
  return 0;
}

/* The symbol in any object that is loaded: where this library is a dependency of the caller's, as
 * by update-alternatives, its own symbols hide those of the ones behind. */
static void* find_anywhere(const char* name) {
  Names names = {{NULL}, 0};
  void* function = NULL;
  size_t i;
  (void)dl_iterate_phdr(add_name, &names);
  for (i = 0; i < names.count; i++) {
    if (function == NULL && names.names[i] != NULL)
      function = symbol_of(names.names[i], RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL, name);
    free(names.names[i]);
  }
  return function;
}

void* find_next(const char* name, void* caller) {
  void* function = NULL;
  Dl_info its;
  if (settings()->next != NULL) function = symbol_of(settings()->next, RTLD_NOW | RTLD_LOCAL, name);
  if (function == NULL) function = dlsym(RTLD_NEXT, name);
  if (is_own(function)) function = NULL;
  if (function == NULL && dladdr(caller, &its) != 0 && its.dli_fname != NULL)
    function = symbol_of(its.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL, name);
  return function != NULL ? function : find_anywhere(name);
}

/* Libraries whose integers have 64 bits under the names that others use with 32 bits: Debian's
 * libblas64.so.3, for one. */
static int has_wide_integers(void* function) {
  Dl_info its;
  const char* name;
  if (function == NULL || dladdr(function, &its) == 0 || its.dli_fname == NULL) return 0;
  name = strrchr(its.dli_fname, '/');
  name = name != NULL ? name + 1 : its.dli_fname;
  return strstr(name, "blas64") != NULL || strstr(name, "blis64") != NULL ||
         strstr(name, "ilp64") != NULL;
}

Next next_function(Routine* routine, const Family* family, void* caller) {
  Known* const known = &routine->known[((uintptr_t)caller >> 4 ^ (uintptr_t)caller >> 12) % kKnown];
  Next next;
  if (__atomic_load_n(&known->caller, __ATOMIC_ACQUIRE) == caller) {
    next.function = __atomic_load_n(&known->function, __ATOMIC_ACQUIRE);
    next.is_wide = __atomic_load_n(&known->is_wide, __ATOMIC_ACQUIRE);
    /* Another thread may have replaced them meanwhile. */
    if (__atomic_load_n(&known->caller, __ATOMIC_ACQUIRE) == caller) return next;
  }
  next.function = find_next(routine->name, caller);
  next.is_wide = family->width == 64 || (family->width == 0 && has_wide_integers(next.function));
  __atomic_store_n(&known->caller, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&known->function, next.function, __ATOMIC_RELEASE);
  __atomic_store_n(&known->is_wide, next.is_wide, __ATOMIC_RELEASE);
  __atomic_store_n(&known->caller, caller, __ATOMIC_RELEASE);
  return next;
}
