// Functions of libraries that are opened while the program runs.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace tessera::bench {

/// The first of these that is there, else null; `scope` is dlopen's, RTLD_LOCAL say.
inline void* open_first(std::initializer_list<const char*> names, int scope) {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | scope)) return library;
  }
  return nullptr;
}

/// Null if the library has none of that name.
template <class Function>
Function* optional_function(void* library, const std::string& name) {
  return reinterpret_cast<Function*>(::dlsym(library, name.c_str()));
}

template <class Function>
Function* function(void* library, const std::string& name) {
  auto* const found = optional_function<Function>(library, name);
  if (found == nullptr) throw std::runtime_error("no " + name);
  return found;
}

}  // namespace tessera::bench
