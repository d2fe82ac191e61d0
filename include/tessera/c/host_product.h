/* Products of matrices in host memory, of any size, on one or several devices. See
 * tessera/tessera.h. */
#ifndef TESSERA_C_HOST_PRODUCT_H
#define TESSERA_C_HOST_PRODUCT_H

#include <tessera/c/multiply.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row-major matrix in host memory. With `op`, its transpose or conjugates: rows and columns are
 * the transpose's. This struct never grows. */
typedef struct tessera_host_matrix {
  void* data; /* a and b are only read */
  size_t rows, columns, leading_dimension;
  tessera_type type;
  tessera_op op;
  int32_t pinned;   /* not 0: it is pinned memory, of tessera_pinned_create() for example */
  int32_t reserved; /* 0 */
} tessera_host_matrix;

typedef struct tessera_host_state {
  size_t tiles_done, tiles; /* of c */
} tessera_host_state;
/* The calling thread calls it whenever tiles of c are done; not 0 ends the product. */
typedef int32_t (*tessera_host_progress)(const tessera_host_state* state, void* user);

typedef struct tessera_host_options {
  size_t struct_size;
  double alpha;                   /* at 0, a and b are not read */
  double beta;                    /* at 0, c is not read */
  tessera_engine* const* devices; /* NULL: $TESSERA_DEVICE, else every GPU, else the fastest */
  size_t device_count;
  uint64_t device_memory; /* for parts of the matrices on each device, in bytes; 0: 3/4 of a GPU */
  tessera_host_progress progress; /* may be NULL */
  void* user;                     /* for progress() */
  const tessera_cancel* cancel;   /* may be NULL */
  tessera_accuracy accuracy;
  int32_t reserved;       /* 0 */
  double alpha_imaginary; /* of complex elements; else 0 */
  double beta_imaginary;
} tessera_host_options;
#define TESSERA_HOST_OPTIONS_INIT                                                                  \
  {                                                                                                \
    sizeof(tessera_host_options), 1, 0, NULL, 0, 0, NULL, NULL, NULL, TESSERA_ACCURACY_IEEE, 0, 0, \
        0                                                                                          \
  }

/* What the devices did. */
typedef struct tessera_host_report tessera_host_report;

/* c = alpha * a * b + beta * c. Waits. a is m x k, b is k x n and c is m x n; types are as for
 * tessera_multiply(). Each device computes tiles of c, and copies what they need. If a device
 * fails, the others compute its tiles. After a failure or a cancellation, the tiles that are done
 * stay. `report` may be NULL. */
TESSERA_C_API tessera_status tessera_multiply_host(
    const tessera_host_matrix* c, const tessera_host_matrix* a, const tessera_host_matrix* b,
    const tessera_host_options* options, tessera_host_report** report, tessera_error** error);

TESSERA_C_API double tessera_host_report_seconds(const tessera_host_report* report);
TESSERA_C_API size_t tessera_host_report_count(const tessera_host_report* report);
/* What device `index` did; 0 or NULL for an index that is too large. */
TESSERA_C_API const char* tessera_host_report_device(const tessera_host_report* report,
                                                     size_t index);
TESSERA_C_API size_t tessera_host_report_tiles(const tessera_host_report* report, size_t index);
TESSERA_C_API uint64_t tessera_host_report_bytes_in(const tessera_host_report* report,
                                                    size_t index);
TESSERA_C_API uint64_t tessera_host_report_bytes_out(const tessera_host_report* report,
                                                     size_t index);
/* Why its tiles went to other devices; "" if nothing failed. */
TESSERA_C_API const char* tessera_host_report_failure(const tessera_host_report* report,
                                                      size_t index);
TESSERA_C_API void tessera_host_report_destroy(tessera_host_report* report);

#ifdef __cplusplus
}
#endif

#endif
