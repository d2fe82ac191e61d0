/* Products, batches, products with vectors, sums, and what ran. See tessera/tessera.h. */
#ifndef TESSERA_C_MULTIPLY_H
#define TESSERA_C_MULTIPLY_H

#include <tessera/c/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernel that an operation ran. An empty product runs nothing and has empty texts. */
typedef struct tessera_run tessera_run;
/* "tiled_static TILE=16", as in options. */
TESSERA_C_API const char* tessera_run_kernel(const tessera_run* run);
/* Why this kernel: "default for a gpu", … */
TESSERA_C_API const char* tessera_run_reason(const tessera_run* run);
/* Waits. Device time in seconds; negative if the engine was created without profiling. */
TESSERA_C_API tessera_status tessera_run_seconds(const tessera_run* run, double* seconds,
                                                 tessera_error** error);
/* The run's last command. */
TESSERA_C_API tessera_status tessera_run_finished(tessera_event** finished, const tessera_run* run,
                                                  tessera_error** error);
TESSERA_C_API void tessera_run_destroy(tessera_run* run);

typedef struct tessera_multiply_options {
  size_t struct_size;
  double alpha;       /* at 0, a and b are not read */
  double beta;        /* at 0, c is not read: it may hold anything, NaN too */
  const char* kernel; /* "tiled_static TILE=16"; NULL, "": the best known for device, types, size */
  const tessera_stream* stream;   /* NULL: c's */
  tessera_event* const* wait_for; /* before it starts */
  size_t wait_count;
  tessera_accuracy accuracy;
  int32_t reserved;       /* 0 */
  double alpha_imaginary; /* of complex elements; else 0 */
  double beta_imaginary;
} tessera_multiply_options;
#define TESSERA_MULTIPLY_OPTIONS_INIT \
  { sizeof(tessera_multiply_options), 1, 0, NULL, NULL, NULL, 0, TESSERA_ACCURACY_IEEE, 0, 0, 0 }

/* Enqueues c = alpha * a * b + beta * c and returns; a is m x k, b is k x n and c is m x n. a and b
 * may be transposes and conjugates. c has the operands' type, int32 for int8, and may be float for
 * 16-bit types. After a status from 101 to 401, nothing has been enqueued and every matrix is
 * unchanged; after another failure, the elements of c are undefined. `run` may be NULL. */
TESSERA_C_API tessera_status tessera_multiply(const tessera_matrix* c, const tessera_matrix* a,
                                              const tessera_matrix* b,
                                              const tessera_multiply_options* options,
                                              tessera_run** run, tessera_error** error);

/* `count` matrices of the shape of `first`, each `stride` elements after the previous one. A stride
 * of 0 repeats the matrix. This struct never grows. */
typedef struct tessera_batch {
  const tessera_matrix* first;
  size_t count, stride;
} tessera_batch;

/* Enqueues c_i = alpha * a_i * b_i + beta * c_i for all i. The counts are equal. */
TESSERA_C_API tessera_status tessera_multiply_batched(const tessera_batch* c,
                                                      const tessera_batch* a,
                                                      const tessera_batch* b,
                                                      const tessera_multiply_options* options,
                                                      tessera_run** run, tessera_error** error);

/* Enqueues y = alpha * a * x + beta * y. x and y are a column or a row; a and x may be conjugates;
 * not for int8. */
TESSERA_C_API tessera_status tessera_matrix_vector(const tessera_matrix* y, const tessera_matrix* a,
                                                   const tessera_matrix* x,
                                                   const tessera_multiply_options* options,
                                                   tessera_run** run, tessera_error** error);

/* Enqueues s = alpha * (the sums of a's rows) + beta * s; s is a column or a row; not for int8. */
TESSERA_C_API tessera_status tessera_row_sums(const tessera_matrix* s, const tessera_matrix* a,
                                              const tessera_multiply_options* options,
                                              tessera_run** run, tessera_error** error);

typedef struct tessera_add_options {
  size_t struct_size;
  double alpha;                   /* at 0, a is not read */
  double beta;                    /* at 0, b is not read */
  double constant;                /* added to each element */
  const char* kernel;             /* as for products */
  const tessera_stream* stream;   /* NULL: c's */
  tessera_event* const* wait_for; /* before it starts */
  size_t wait_count;
  double alpha_imaginary; /* of complex elements; else 0 */
  double beta_imaginary;
  double constant_imaginary;
} tessera_add_options;
#define TESSERA_ADD_OPTIONS_INIT \
  { sizeof(tessera_add_options), 1, 1, 0, NULL, NULL, NULL, 0, 0, 0, 0 }

/* Enqueues c = alpha * a + beta * b + constant. a and b are as large as c, or one row, one column
 * or one element that counts for all; not for int8. */
TESSERA_C_API tessera_status tessera_add(const tessera_matrix* c, const tessera_matrix* a,
                                         const tessera_matrix* b,
                                         const tessera_add_options* options, tessera_run** run,
                                         tessera_error** error);
/* Enqueues c = value; not for int8. */
TESSERA_C_API tessera_status tessera_fill(const tessera_matrix* c, double value, tessera_run** run,
                                          tessera_error** error);

#ifdef __cplusplus
}
#endif

#endif
