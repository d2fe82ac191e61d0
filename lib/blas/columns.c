/* The columns of a product on their way back to C. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

size_t column_bytes(const Product* p) { return (size_t)p->m * elements[p->type].bytes; }

void copy_columns(const Product* p, int64_t first, int64_t number, char* dense, int to_c) {
  const size_t bytes = column_bytes(p), stride = (size_t)p->ldc * elements[p->type].bytes;
  int64_t j;
  for (j = 0; j < number; j++) {
    char* const in_c = (char*)p->c + (size_t)(first + j) * stride;
    char* const column = dense + (size_t)j * bytes;
    memcpy(to_c ? in_c : column, to_c ? column : in_c, bytes);
  }
}

enum { kPiece = 2 << 20, /* bytes */ kThreads = 8 };

/* Pieces of `width` columns; threads take one after another. A piece arrives in memory of its
 * thread first. It goes to C when all before it have arrived. */
typedef struct Pieces {
  const Product* product;
  const tessera_matrix* result;
  int64_t width, taken, arrived; /* columns */
  int has_failed;
  tessera_error* error;
  pthread_mutex_t lock;
  pthread_cond_t news;
} Pieces;

static int64_t take(Pieces* of) {
  int64_t first;
  pthread_mutex_lock(&of->lock);
  first = of->taken;
  of->taken += of->width;
  pthread_mutex_unlock(&of->lock);
  return first;
}

static tessera_status fetch(const Pieces* of, int64_t first, int64_t number, char* memory,
                            tessera_error** error) {
  const size_t rows = (size_t)of->product->m;
  tessera_matrix* columns = NULL;
  tessera_status status =
      api.matrix_block(&columns, of->result, (size_t)first, 0, (size_t)number, rows, error);
  if (status == TESSERA_OK) status = api.matrix_download(columns, memory, rows, error);
  api.matrix_destroy(columns);
  return status;
}

/* Returns whether all before a piece have arrived, as it has itself unless `status` says else. */
static int joins(Pieces* of, int64_t first, int64_t number, tessera_status status,
                 tessera_error* error) {
  int is_joined;
  pthread_mutex_lock(&of->lock);
  if (status != TESSERA_OK && !of->has_failed) {
    of->has_failed = 1;
    of->error = error;
    error = NULL;
  }
  while (!of->has_failed && of->arrived < first) pthread_cond_wait(&of->news, &of->lock);
  is_joined = !of->has_failed;
  if (is_joined) of->arrived = first + number;
  pthread_cond_broadcast(&of->news);
  pthread_mutex_unlock(&of->lock);
  api.error_destroy(error);
  return is_joined;
}

static void* bring_some(void* pieces) {
  Pieces* const of = pieces;
  const Product* const p = of->product;
  char* const memory = malloc((size_t)of->width * column_bytes(p));
  int64_t first;
  while (memory != NULL && (first = take(of)) < p->n) {
    const int64_t left = p->n - first, number = of->width < left ? of->width : left;
    tessera_error* error = NULL;
    const tessera_status status = fetch(of, first, number, memory, &error);
    if (!joins(of, first, number, status, error)) break;
    copy_columns(p, first, number, memory, 1);
  }
  free(memory);
  return NULL;
}

int64_t bring_columns(const Product* p, const tessera_matrix* result, tessera_error** error) {
  Pieces pieces = {p,
                   result,
                   (int64_t)(kPiece / column_bytes(p)) + 1,
                   0,
                   0,
                   0,
                   NULL,
                   PTHREAD_MUTEX_INITIALIZER,
                   PTHREAD_COND_INITIALIZER};
  const int64_t others = (p->n - 1) / pieces.width;
  pthread_t threads[kThreads - 1];
  const int most = others < kThreads - 1 ? (int)others : kThreads - 1;
  int started = 0, i;
  while (started < most && start_thread(&threads[started], bring_some, &pieces)) started++;
  (void)bring_some(&pieces);
  for (i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_cond_destroy(&pieces.news);
  pthread_mutex_destroy(&pieces.lock);
  *error = pieces.error;
  return pieces.arrived;
}
