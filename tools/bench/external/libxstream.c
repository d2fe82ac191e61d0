// The sample "ozaki" of libxstream (github.com/hfp/libxstream) as a peer: the Ozaki schemes on int8
// through OpenCL.
#include <ozaki_opencl.h>

#include "peer.h"

#include <stdlib.h>

struct TesseraPeer {
  ozaki_context_t context;
  libxstream_stream_t* stream;
  void *a, *b, *c;
  size_t m, n, k, element;
};

static int copy_to_device(TesseraPeer* peer, void** memory, const void* from, size_t bytes) {
  const int status = libxstream_mem_allocate(memory, bytes);
  return status != 0 || from == NULL ? status
                                     : libxstream_mem_copy_h2d(from, *memory, bytes, peer->stream);
}

TesseraPeer* tessera_peer_open(TesseraPeerType type, size_t m, size_t n, size_t k, const void* a,
                               const void* b) {
  const int is_double = type == TESSERA_PEER_DOUBLE;
  TesseraPeer* peer;
  // Planes of an operand, as it chooses them. Where one has 2^32 elements in them, as doubles of
  // 16384 x 16384, it fails, and takes the device's context with it.
  const size_t planes = is_double ? 16 : 9, maximum = ((size_t)1 << 32) / planes;
  if (type > TESSERA_PEER_DOUBLE) return NULL;
  if (m * k >= maximum || k * n >= maximum || m * n >= maximum) return NULL;
  if (libxstream_init() != 0 || libxstream_device_set_active(0) != 0) return NULL;
  peer = (TesseraPeer*)calloc(1, sizeof(TesseraPeer));
  if (peer == NULL) return NULL;
  peer->m = m;
  peer->n = n;
  peer->k = k;
  peer->element = is_double ? sizeof(double) : sizeof(float);
  // Everything as it chooses by itself.
  if (ozaki_init(&peer->context, 0, 0, is_double, 0, 0, 0, -1, 0, 0, 0) == 0 &&
      libxstream_stream_create(&peer->stream, "peer", LIBXSTREAM_STREAM_DEFAULT) == 0 &&
      copy_to_device(peer, &peer->a, a, m * k * peer->element) == 0 &&
      copy_to_device(peer, &peer->b, b, k * n * peer->element) == 0 &&
      copy_to_device(peer, &peer->c, NULL, m * n * peer->element) == 0 &&
      libxstream_stream_sync(peer->stream) == 0)
    return peer;
  tessera_peer_close(peer);
  return NULL;
}

int tessera_peer_multiply(TesseraPeer* peer) {
  // Its matrices are stored by columns: what it sees is C' = B' A'.
  const int m = (int)peer->m, n = (int)peer->n, k = (int)peer->k;
  const int status = ozaki_gemm(&peer->context, peer->stream, 'N', 'N', n, m, k, 1, peer->b, n,
                                peer->a, k, 0, peer->c, n, 1 /*memory of the device*/);
  return status != 0 ? status : libxstream_stream_sync(peer->stream);
}

int tessera_peer_read(TesseraPeer* peer, void* c) {
  const int status =
      libxstream_mem_copy_d2h(peer->c, c, peer->m * peer->n * peer->element, peer->stream);
  return status != 0 ? status : libxstream_stream_sync(peer->stream);
}

void tessera_peer_close(TesseraPeer* peer) {
  void* const all[] = {peer->a, peer->b, peer->c};
  size_t i;
  for (i = 0; i < 3; i++) {
    if (all[i] != NULL) libxstream_mem_deallocate(all[i]);
  }
  if (peer->stream != NULL) libxstream_stream_destroy(peer->stream);
  ozaki_destroy(&peer->context);
  free(peer);
}
