/* libtessera_c's functions, and what is open. */
#ifndef TESSERA_BLAS_DEVICE_H
#define TESSERA_BLAS_DEVICE_H

#include <tessera/tessera.h>

#include "front.h"

/* The functions of libtessera_c. */
/* clang-format off */
#define FUNCTIONS(X)                                                                              \
  X(error_message) X(error_destroy) X(engine_create) X(engine_device_name) X(engine_device_type)  \
  X(engine_memory) X(stream_create) X(matrix_create) X(matrix_transposed) X(matrix_adjoint)       \
  X(matrix_block) X(matrix_upload) X(matrix_download) X(matrix_destroy) X(multiply) X(multiply_host)
/* clang-format on */
#define POINTER(name) __typeof__(&tessera_##name) name;
extern struct Api { FUNCTIONS(POINTER) } api;
#undef POINTER

extern tessera_engine* engine;
/* Threads take streams in turn. */
const tessera_stream* own_stream(void);
/* Says what failed, once for each product. */
void report(tessera_error* error);

/* The bytes of a column of C. */
size_t column_bytes(const Product* p);
/* Copies columns of C from `first` on between C and dense memory. */
void copy_columns(const Product* p, int64_t first, int64_t number, char* dense, int to_c);
/* Copies a product to C by several threads. Returns how many of its columns are there, from the
 * first on; what fails leaves C's others as they were. */
int64_t bring_columns(const Product* p, const tessera_matrix* result, tessera_error** error);

#endif
