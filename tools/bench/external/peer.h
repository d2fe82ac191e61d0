// Peer: the functions that a library must export so that tessera-bench measures its bounded
// products. A script here builds each peer from its own clone, as libtessera-bench-NAME.so, outside
// of this tree.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TesseraPeer TesseraPeer;
typedef enum {
  TESSERA_PEER_FLOAT,
  TESSERA_PEER_DOUBLE,
  TESSERA_PEER_COMPLEX64,
  TESSERA_PEER_COMPLEX128
} TesseraPeerType;

/// C = A B of row-major m x k and k x n matrices of the host, copied to the device. Null if that
/// fails, or if the library does not multiply such elements.
TesseraPeer* tessera_peer_open(TesseraPeerType type, size_t m, size_t n, size_t k, const void* a,
                               const void* b);
/// Multiplies, and waits for it; 0 or an error of the library.
int tessera_peer_multiply(TesseraPeer* peer);
/// C to the host; 0 or an error.
int tessera_peer_read(TesseraPeer* peer, void* c);
void tessera_peer_close(TesseraPeer* peer);

#ifdef __cplusplus
}
#endif
