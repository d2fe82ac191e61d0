// Eigen's products as a peer, where Eigen was there when this was built.
#pragma once

#include "blas.hpp"

namespace tessera::bench {

/// Call it after installed_blas(): they share OpenMP's threads, which are set up once.
bool has_eigen_product();

template <class T>
void eigen_multiply(const RawProduct<T>& product);

}  // namespace tessera::bench
