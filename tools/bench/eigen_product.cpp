#include "eigen_product.hpp"

#include "libraries.hpp"

namespace tessera::bench {
namespace {

/// A module of its own: linked in, it would start OpenMP before its settings are made.
void* module_of_eigen() {
#ifdef TESSERA_BENCH_EIGEN_PRODUCT
  static void* const loaded = open_first({TESSERA_BENCH_EIGEN_PRODUCT}, RTLD_LOCAL);
  return loaded;
#else
  return nullptr;
#endif
}

template <class T>
void call(const char* name, const RawProduct<T>& product) {
  function<void(const RawProduct<T>&)>(module_of_eigen(), name)(product);
}

}  // namespace

bool has_eigen_product() { return module_of_eigen() != nullptr; }

template <>
void eigen_multiply<float>(const RawProduct<float>& product) {
  call("eigen_multiply_float", product);
}
template <>
void eigen_multiply<double>(const RawProduct<double>& product) {
  call("eigen_multiply_double", product);
}

}  // namespace tessera::bench
