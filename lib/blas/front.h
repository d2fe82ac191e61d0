/* Front: matrix products that programs ask of BLAS, and who computes them. */
#ifndef TESSERA_BLAS_FRONT_H
#define TESSERA_BLAS_FRONT_H

#include <complex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Type { kFloat, kDouble, kComplexFloat, kComplexDouble, kTypes } Type;
typedef struct Element {
  char letter;      /* in the names of BLAS */
  const char* name; /* in the names of files */
  Type part;        /* of a complex number; else the type itself */
  size_t bytes;
} Element;
extern const Element elements[kTypes];
static inline int is_complex(Type type) { return elements[type].part != type; }

/* How a matrix is read. Real matrices have no kAdjoint: it is their kTransposed. */
typedef enum Op { kPlain, kTransposed, kAdjoint } Op;

/* C = alpha * op(A) * op(B) + beta * C of column-major matrices: op(A) is m x k, op(B) is k x n. */
typedef struct Product {
  Type type;
  Op op_a, op_b;
  int64_t m, n, k, lda, ldb, ldc;
  double complex alpha, beta;
  const void *a, *b;
  void* c;
} Product;

/* Routines with a symmetric, Hermitian or triangular matrix; all matrices are column-major. Rank
 * updates write a triangle of C, which is n x n; op(A) and op(B) are n x k. The other routines
 * write C, which is m x n, and may multiply by A from the right. */
typedef enum Kind {
  kSyrk,  /* C = alpha * op(A) * op(A)^T + beta * C */
  kSyr2k, /* C = alpha * op(A) * op(B)^T + alpha * op(B) * op(A)^T + beta * C */
  kHerk,  /* C = alpha * op(A) * op(A)^H + beta * C; alpha and beta are real */
  kHer2k, /* C = alpha * op(A) * op(B)^H + conj(alpha) * op(B) * op(A)^H + beta * C; beta is real */
  kSymm,  /* C = alpha * A * B + beta * C; A is symmetric */
  kHemm,  /* C = alpha * A * B + beta * C; A is Hermitian */
  kTrsm,  /* C = alpha * op(A)^-1 * C; A is triangular */
  kTrmm,  /* C = alpha * op(A) * C; A is triangular */
  kKinds
} Kind;
static inline int is_rank_update(Kind kind) { return kind <= kHer2k; }
static inline int has_two_products(Kind kind) { return kind == kSyr2k || kind == kHer2k; }
static inline int is_hermitian(Kind kind) {
  return kind == kHerk || kind == kHer2k || kind == kHemm;
}
static inline int is_triangular(Kind kind) { return kind >= kTrsm; }

typedef struct Blocked {
  Kind kind;
  Type type;
  int is_right; /* A, if there is no rank update */
  int is_upper; /* the triangle */
  Op op;        /* of A, and of B in a rank update */
  int is_unit;  /* the diagonal of A */
  int64_t m, n, k, lda, ldb, ldc;
  double complex alpha, beta;
  const void *a, *b;
  void* c;
} Blocked;
/* The op of the second factor of a rank update, or of the triangle of A that is not stored. */
static inline Op opposite(const Blocked* p) {
  return p->op != kPlain ? kPlain : is_hermitian(p->kind) ? kAdjoint : kTransposed;
}

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
  Type type;
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

/* The least m * n * k of a product that may be worth a device. */
extern double least_work[kTypes];

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

/* Starts a thread that gets no signals, which are for the program's threads. Returns whether it
 * runs. */
int start_thread(pthread_t* thread, void* (*work)(void*), void* of);

/* Whether a product goes to a device. The first one that is asked for opens it. */
Outcome outcome_of(const Product* product, Family* family, void* caller);
/* Computes a product on a device. Returns whether it did: if not, C is as before, or beta is 0. */
int compute(const Product* product, Family* family, void* caller);
/* Computes it in blocks, the large ones on a device, the diagonal ones by the next BLAS. Returns
 * whether it did: if not, everything is as before. */
int compute_blocked(const Blocked* problem, Family* family, void* caller, void* next);
/* Whether this thread is making a model. */
int is_measuring(void);
/* Plain loops, where there is no other BLAS. Order 1: C or A has one row and column. */
void compute_plainly(const Product* product);
void compute_order_1(const Blocked* problem);

/* The part of compute() that knows the device. */
int open_device(void);
int is_cpu(void);
const char* device_name(void);
double device_memory(void); /* bytes */
/* Seconds of a copy of so many bytes to the device, and back. Returns whether it was measured. */
int measure_copies(unsigned long bytes, double* up, double* down);
/* A product has failed on the device. */
void note_failure(void);
/* Returns how many of C's first columns the device has computed, all unless something failed. The
 * others are as before, or beta is 0. */
int64_t columns_by_device(const Product* product);

/* Whether a device computes a small product in a process of its own. */
int survives_probe(void);
/* The path of a file in the folder of this library. Returns whether there is one. */
int beside(char* path, size_t size, const char* name);

/* A row-major operand in the program's memory. */
typedef struct Stored {
  const void* data;
  size_t rows, columns, leading_dimension;
  Type type;
  Op op;
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
void count_product(Type type, Outcome outcome);
void count_kept(void);      /* an operand that was on the device already */
void forget_products(void); /* in a child, whose parent reports them */
/* One line on standard error. */
void complain(const char* what, const char* why);
/* A file in the cache folder; its name has at most 200 characters. Returns whether there is one. */
int cache_file(char* path, unsigned long size, const char* name);

#endif
