/* Front: matrix products that programs ask of BLAS, and who computes them. */
#ifndef TESSERA_BLAS_FRONT_H
#define TESSERA_BLAS_FRONT_H

#include <stddef.h>
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

/* A routine with a symmetric or triangular matrix, of column-major matrices. C is the matrix that
 * it writes; trsm and trmm read it as well. syrk:   C = alpha * op(A) * op(A)^T + beta * C, a
 * triangle of an n x n matrix; op(A) is n x k syr2k:  C = alpha * (op(A) * op(B)^T + op(B) *
 * op(A)^T) + beta * C symm:   C = alpha * A * B + beta * C, or B * A; A is symmetric, B and C are m
 * x n trsm:   C = alpha * op(A)^-1 * C, or C * op(A)^-1; A is triangular, C is m x n trmm:   C =
 * alpha * op(A) * C, or C * op(A) */
typedef enum Kind { kSyrk, kSyr2k, kSymm, kTrsm, kTrmm, kKinds } Kind;
typedef struct Blocked {
  Kind kind;
  int is_double;
  int is_right;      /* A, in symm, trsm and trmm */
  int is_upper;      /* the triangle */
  int is_transposed; /* op(A) */
  int is_unit;       /* the diagonal of A */
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
  const void *a, *b;
  void* c;
} Blocked;

/* The other BLAS's function for a caller, by the address from which it calls. */
typedef struct Known {
  void *caller, *function;
  int is_wide;
} Known;
enum { kKnown = 64 };

/* A function that this library has in common with another BLAS. */
typedef struct Routine {
  const char* name;
  Known* known; /* kKnown */
} Routine;

/* The routines for a type in one spelling of their names. */
typedef struct Family {
  int is_double;
  int width; /* of integers: 32 or 64 bits, or 0 if that depends on the other BLAS */
  /* Call the other BLAS's function. */
  void (*call_product)(const Product* product, void* function);
  void (*call_blocked)(const Blocked* problem, void* function);
  Routine product, blocked[kKinds];
} Family;

/* The other BLAS's function, null if there is none, and whether its integers have 64 bits. */
typedef struct Next {
  void* function;
  int is_wide;
} Next;
/* The function of the same name that a caller would have called without this library. */
Next next_function(Routine* routine, const Family* family, void* caller);
/* The same by name, each time anew. */
void* find_next(const char* name, void* caller);

/* The words of $TESSERA_BLAS, and $TESSERA_BLAS_REPORT. */
typedef struct Settings {
  int is_off, waits; /* for the device, where the next BLAS would compute meanwhile */
  double least;      /* the edge of a cube from where every product goes to the device; 0: a model
                        decides */
  int explains;      /* counts the products that are not worth a look, too */
  int slice;         /* of ScaLAPACK's sums */
  size_t keep;       /* the least bytes of operands that stay on the device; 0: none do */
  const char *next, *report;
} Settings;
const Settings* settings(void);

/* The least m * n * k of a product that may be worth a device, for float and double. */
extern double least_work[2];

/* Who computes a product, and why. */
typedef enum Outcome {
  kOnDevice,
  kNextIsFaster,
  kFailed,
  kSmall,   /* the next BLAS computes these and all below */
  kInvalid, /* or empty, or alpha is 0 */
  kOpening,
  kNoDevice,
  kForked,
  kOutcomes
} Outcome;

/* Whether a product goes to a device. The first one that is asked for opens it. */
Outcome outcome_of(const Product* product, Family* family, void* caller);
/* Computes a product on a device. Returns whether it did: if not, C is as before, or beta is 0. */
int compute(const Product* product, Family* family, void* caller);
/* Computes it in blocks, the large ones on a device, the diagonal ones by the next BLAS. Returns
 * whether it did: if not, everything is as before. */
int compute_blocked(const Blocked* problem, Family* family, void* caller, void* next);
/* Whether this thread is making a model. */
int is_measuring(void);
/* Computes it by plain loops, where there is no other BLAS. */
void compute_plainly(const Product* product);

/* The part of compute() that knows the device. */
int open_device(void);
int is_cpu(void);
const char* device_name(void);
double device_memory(void); /* bytes */
/* Seconds of a copy of so many bytes to the device, and back. Returns whether it was measured. */
int measure_copies(unsigned long bytes, double* up, double* down);
/* A product has failed on the device. */
void note_failure(void);
/* Returns 1 if C is complete, 0 after a failure. */
int multiply_on_device(const Product* product);

/* Whether a device computes a small product in a process of its own. */
int survives_probe(void);
/* The path of a file in the folder of this library. Returns whether there is one. */
int beside(char* path, size_t size, const char* name);

/* A row-major operand in the program's memory. */
typedef struct Stored {
  const void* data;
  size_t rows, columns, leading_dimension, element; /* the last one in bytes */
  int is_transposed;
} Stored;

/* An operand that is on the device, or will be. Null if it does not stay there. If the matrix is
 * null, the caller uploads it. */
typedef struct Kept Kept;
Kept* use_kept(const Stored* stored, void** matrix);
/* After the product; with the matrix that the caller has uploaded, null if that failed. */
void leave_kept(Kept* kept, void* matrix);
/* Before the device's driver writes to some memory. */
void drop_kept_in(const void* begin, size_t bytes);
void destroy_on_device(void* matrix);

/* Protects the whole pages of some memory. Returns whether writes to them can be seen. */
int watch_writes(const void* begin, size_t bytes);
/* Whether any was written since. */
int was_written(const void* begin, size_t bytes);
void ignore_writes(const void* begin, size_t bytes);
/* The bytes before the whole pages, and the bytes of these pages. */
size_t bytes_before_pages(const void* begin, size_t bytes);
size_t bytes_of_pages(const void* begin, size_t bytes);

/* Seconds of a product on the device: some for each one, and some for each multiply-add and for
 * each byte that is copied to the device and from it, none on a CPU. The next BLAS has some for
 * each multiply-add. */
typedef struct Model {
  double launch, multiply_add, up, down;
  double host;
} Model;
/* Reads what an earlier process measured, or measures. */
void make_model(Model* model, const Family* family, void* next);
int prefers_device(const Model* model, const Product* product);

/* Seconds since some moment. */
double now(void);
void count_product(int is_double, Outcome outcome);
void count_kept(void);      /* an operand that was on the device already */
void forget_products(void); /* in a child, whose parent reports them */
/* One line on standard error. */
void complain(const char* what, const char* why);
/* A file in the cache folder; its name has at most 200 characters. Returns whether there is one. */
int cache_file(char* path, unsigned long size, const char* name);

#endif
