// GEMMul8 (github.com/RIKEN-RCCS/GEMMul8) as a peer: Ozaki scheme II on int8.
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdlib>

#include "gemmul8.hpp"
#include "peer.h"

struct TesseraPeer {
  TesseraPeerType type;
  size_t m, n, k;
  cublasHandle_t handle = nullptr;
  void *a = nullptr, *b = nullptr, *c = nullptr, *work = nullptr;

  bool is_complex() const { return type >= TESSERA_PEER_COMPLEX64; }
  bool has_doubles() const {
    return type == TESSERA_PEER_DOUBLE || type == TESSERA_PEER_COMPLEX128;
  }
  size_t element() const {
    return (has_doubles() ? sizeof(double) : sizeof(float)) * (is_complex() ? 2 : 1);
  }
  /// The fewest with which its largest error is below that of cuBLAS, on normal numbers;
  /// $TESSERA_GEMMUL8_MODULI tries others.
  unsigned moduli() const {
    const char* const wish = std::getenv("TESSERA_GEMMUL8_MODULI");
    return wish != nullptr ? std::atoi(wish) : has_doubles() ? 15 : 8;
  }

  template <class T>
  void multiply(T one) {
    const T zero = {};
    // Its matrices are stored by columns: what it sees is C' = B' A'.
    gemmul8::gemm<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, static_cast<const T*>(b), n,
                     static_cast<const T*>(a), k, &zero, static_cast<T*>(c), n, moduli(), true,
                     work);
  }
};

TesseraPeer* tessera_peer_open(TesseraPeerType type, size_t m, size_t n, size_t k, const void* a,
                               const void* b) {
  auto* const peer = new TesseraPeer{type, m, n, k};
  const size_t element = peer->element(),
               bytes_of_work = peer->is_complex()
                                   ? gemmul8::workSize<true>(n, m, k, peer->moduli())
                                   : gemmul8::workSize<false>(n, m, k, peer->moduli());
  if (cublasCreate(&peer->handle) == CUBLAS_STATUS_SUCCESS &&
      cudaMalloc(&peer->a, m * k * element) == cudaSuccess &&
      cudaMalloc(&peer->b, k * n * element) == cudaSuccess &&
      cudaMalloc(&peer->c, m * n * element) == cudaSuccess &&
      cudaMalloc(&peer->work, bytes_of_work) == cudaSuccess &&
      cudaMemcpy(peer->a, a, m * k * element, cudaMemcpyHostToDevice) == cudaSuccess &&
      cudaMemcpy(peer->b, b, k * n * element, cudaMemcpyHostToDevice) == cudaSuccess)
    return peer;
  tessera_peer_close(peer);
  return nullptr;
}

int tessera_peer_multiply(TesseraPeer* peer) {
  switch (peer->type) {
    case TESSERA_PEER_FLOAT: peer->multiply(1.0F); break;
    case TESSERA_PEER_DOUBLE: peer->multiply(1.0); break;
    case TESSERA_PEER_COMPLEX64: peer->multiply(make_cuComplex(1, 0)); break;
    case TESSERA_PEER_COMPLEX128: peer->multiply(make_cuDoubleComplex(1, 0)); break;
  }
  return cudaDeviceSynchronize();
}

int tessera_peer_read(TesseraPeer* peer, void* c) {
  return cudaMemcpy(c, peer->c, peer->m * peer->n * peer->element(), cudaMemcpyDeviceToHost);
}

void tessera_peer_close(TesseraPeer* peer) {
  for (void* memory : {peer->a, peer->b, peer->c, peer->work}) cudaFree(memory);
  if (peer->handle != nullptr) cublasDestroy(peer->handle);
  delete peer;
}
