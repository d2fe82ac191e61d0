/* Front: matrix products that programs ask of BLAS, and who computes them. */
#ifndef TESSERA_BLAS_FRONT_H
#define TESSERA_BLAS_FRONT_H

#include <stdint.h>

/* C = alpha * op(A) * op(B) + beta * C of column-major matrices: op(A) is m x k, op(B) is k x n. */
typedef struct Product {
  int is_double; /* else float */
  int transpose_a, transpose_b;
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
  const void *a, *b;
  void* c;
} Product;

/* A function that this library has in common with another BLAS. */
typedef struct Routine {
  const char* name;
  /* Calls the other BLAS's function of this name. */
  void (*call)(const Product* product, void* function);
  /* Functions that callers were found to call next, by the address from which they call. */
  struct {
    void *caller, *function;
  } known[64];
} Routine;

/* The function of the same name that a caller would have called without this library; null if there
 * is none. */
void* next_function(Routine* routine, void* caller);

/* The words of $TESSERA_BLAS, and $TESSERA_BLAS_REPORT. */
typedef struct Settings {
  int is_off, waits; /* for the device, where the next BLAS would compute meanwhile */
  double least;      /* the edge of a cube from where every product goes to the device; 0: a model
                        decides */
  const char *next, *report;
} Settings;
const Settings* settings(void);

/* The least m * n * k of a product that may be worth a device, for float and double. */
extern double least_work[2];

/* Computes a product on a device. Returns whether it did: if not, C is as before, or beta is 0. */
int compute(const Product* product, Routine* routine, void* caller);
/* Computes it by plain loops, where there is no other BLAS. */
void compute_plainly(const Product* product);

/* The part of compute() that knows the device. */
int open_device(void);
int is_cpu(void);
const char* device_name(void);
/* Seconds of a copy of so many bytes to the device, and back. Returns whether it was measured. */
int measure_copies(unsigned long bytes, double* up, double* down);
/* A product has failed on the device. */
void note_failure(void);
/* Returns 1 if C is complete, 0 after a failure. */
int multiply_on_device(const Product* product);

/* Seconds of a product on the device: some for each one, and some for each multiply-add and for
 * each byte that is copied to the device and from it, none on a CPU. The next BLAS has some for
 * each multiply-add. */
typedef struct Model {
  double launch, multiply_add, up, down;
  double host;
} Model;
/* Reads what an earlier process measured, or measures. */
void make_model(Model* model, int is_double, Routine* routine, void* next);
int prefers_device(const Model* model, const Product* product);

/* Seconds since some moment. */
double now(void);
void count_product(int is_double, int on_device);
void forget_products(void); /* in a child, whose parent reports them */
/* One line on standard error. */
void complain(const char* what, const char* why);
/* A file in the cache folder; its name has at most 200 characters. Returns whether there is one. */
int cache_file(char* path, unsigned long size, const char* name);

#endif
