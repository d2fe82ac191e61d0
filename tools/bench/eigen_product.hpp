// Eigen's products as a peer, where Eigen was there when this was built.
#pragma once

#include "blas.hpp"

namespace tessera::bench {

template <class T>
void eigen_multiply(const HostProduct<T>& product);

}  // namespace tessera::bench
