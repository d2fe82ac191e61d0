// CLBlast: loaded at run time if installed, as a peer of multiply on the same device memory.
#pragma once

#include <cstddef>
#include <tessera/interop.hpp>

namespace tessera::bench {

/// `count` products C = op(A) op(B) + beta C of row-major matrices, stored one after another in
/// each buffer, with `padding` elements between rows. The first is `offset` elements from the
/// beginning.
struct DeviceProduct {
  std::size_t m, n, k, count;
  bool transpose_a, transpose_b;
  std::size_t padding, offset;
  double beta;
  cl_mem a, b, c;
  cl_command_queue queue;
};

bool has_clblast();

/// With CLBlast's own parameters for the device, or its defaults; waits. Throws std::runtime_error
/// if a call fails.
template <class T>
void clblast_multiply(const DeviceProduct& product);

}  // namespace tessera::bench
