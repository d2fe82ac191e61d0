/* The device, through libtessera_c, which is opened by a product that is worth it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

#include "front.h"

/* The functions of libtessera_c. */
/* clang-format off */
#define FUNCTIONS(X)                                                                              \
  X(error_message) X(error_destroy) X(engine_create) X(engine_device_name) X(engine_device_type)  \
  X(engine_memory) X(stream_create) X(matrix_create) X(matrix_transposed) X(matrix_adjoint)       \
  X(matrix_upload) X(matrix_download) X(matrix_destroy) X(multiply) X(multiply_host)
/* clang-format on */
#define POINTER(name) __typeof__(&tessera_##name) name;
static struct { FUNCTIONS(POINTER) } api;

static tessera_engine* engine;
enum { kStreams = 4 };
static tessera_stream* streams[kStreams];
static int is_opened, computes_on_cpu; /* is_opened: 0 not yet, 1 yes, -1 never */
static uint64_t capacity;

int is_cpu(void) { return computes_on_cpu; }
double device_memory(void) { return (double)capacity; }
const char* device_name(void) { return engine != NULL ? api.engine_device_name(engine) : ""; }

/* Says what failed, once for each product. */
static void report(tessera_error* error) {
  complain(api.error_message(error), "the next BLAS computes it");
  api.error_destroy(error);
}

static int load(void) {
  char path[4096];
  void* library = NULL;
  /* Intel's runtime expects its functions in the program. */
  (void)dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  if (beside(path, sizeof path, "libtessera_c.so.0")) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    complain("libtessera_c.so.0 cannot be loaded", dlerror());
    return 0;
  }
#define FIND(name)                                                        \
  *(void**)&api.name = dlsym(library, "tessera_" #name);                  \
  if (api.name == NULL) {                                                 \
    complain("libtessera_c.so.0 is too old", "it has no tessera_" #name); \
    return 0;                                                             \
  }
  FUNCTIONS(FIND)
  return 1;
}

static int create_engine(void) {
  tessera_error* error = NULL;
  int i;
  if (api.engine_create(&engine, NULL, &error) != TESSERA_OK) {
    report(error);
    return 0;
  }
  for (i = 0; i < kStreams; i++) {
    if (api.stream_create(&streams[i], engine, &error) != TESSERA_OK) {
      report(error);
      return 0;
    }
  }
  computes_on_cpu = api.engine_device_type(engine) == TESSERA_DEVICE_CPU;
  return api.engine_memory(engine, NULL, NULL, &capacity, NULL) == TESSERA_OK;
}

/* Called by one thread at a time. */
int open_device(void) {
  if (is_opened == 0) {
    if (!survives_probe()) {
      complain("the device failed a small product in a process of its own",
               "the next BLAS computes");
      is_opened = -1;
    } else {
      is_opened = load() && create_engine() ? 1 : -1;
    }
  }
  return is_opened > 0;
}

/* Threads take streams in turn. */
static const tessera_stream* own_stream(void) {
  static int threads;
  static __thread int number = -1;
  if (number < 0) number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % kStreams;
  return streams[number];
}

static size_t size_of(const Product* p) { return elements[p->type].bytes; }

/* Column-major matrices are the transposes of row-major ones, and so is the product:
 * C^T = op(B)^T * op(A)^T. */
static Stored stored_a(const Product* p) {
  const Stored a = {p->a,
                    (size_t)(p->op_a == kPlain ? p->k : p->m),
                    (size_t)(p->op_a == kPlain ? p->m : p->k),
                    (size_t)p->lda,
                    p->type,
                    p->op_a};
  return a;
}
static Stored stored_b(const Product* p) {
  const Stored b = {p->b,
                    (size_t)(p->op_b == kPlain ? p->n : p->k),
                    (size_t)(p->op_b == kPlain ? p->k : p->n),
                    (size_t)p->ldb,
                    p->type,
                    p->op_b};
  return b;
}

static tessera_type type_of(const Product* p) {
  static const tessera_type types[kTypes] = {TESSERA_FLOAT32, TESSERA_FLOAT64, TESSERA_COMPLEX64,
                                             TESSERA_COMPLEX128};
  return types[p->type];
}
static tessera_op op_of(const Stored* s) {
  static const tessera_op ops[] = {TESSERA_NO_TRANSPOSE, TESSERA_TRANSPOSE,
                                   TESSERA_CONJUGATE_TRANSPOSE};
  return ops[s->op];
}

/* C, or a dense copy of it: what fails leaves C as it was, unless nobody reads it. */
static void* target_of(const Product* p, size_t* leading_dimension) {
  const size_t bytes = (size_t)p->m * size_of(p), pitch = (size_t)p->ldc * size_of(p);
  char* copy;
  int64_t j;
  *leading_dimension = (size_t)p->ldc;
  if (p->beta == 0) return p->c;
  copy = malloc((size_t)p->n * bytes);
  if (copy == NULL) return NULL;
  for (j = 0; j < p->n; j++)
    memcpy(copy + (size_t)j * bytes, (char*)p->c + (size_t)j * pitch, bytes);
  *leading_dimension = (size_t)p->m;
  return copy;
}

static void keep(const Product* p, void* target, int is_complete) {
  const size_t bytes = (size_t)p->m * size_of(p), pitch = (size_t)p->ldc * size_of(p);
  int64_t j;
  if (target == p->c) return;
  for (j = 0; j < p->n && is_complete; j++)
    memcpy((char*)p->c + (size_t)j * pitch, (char*)target + (size_t)j * bytes, bytes);
  free(target);
}

/* On the host's memory: in place on a CPU, in tiles for what a GPU cannot hold. */
static tessera_status multiply_from_host(const Product* p, void* target, size_t leading_dimension,
                                         tessera_error** error) {
  const Stored a = stored_a(p), b = stored_b(p);
  const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
  tessera_host_options options = TESSERA_HOST_OPTIONS_INIT;
  tessera_host_matrix left = {NULL, n, k, b.leading_dimension, type_of(p), op_of(&b), 0, 0};
  tessera_host_matrix right = {NULL, k, m, a.leading_dimension, type_of(p), op_of(&a), 0, 0};
  const tessera_host_matrix result = {
      target, n, m, leading_dimension, type_of(p), TESSERA_NO_TRANSPOSE, 0, 0};
  left.data = (void*)(uintptr_t)b.data;
  right.data = (void*)(uintptr_t)a.data;
  options.alpha = creal(p->alpha);
  options.alpha_imaginary = cimag(p->alpha);
  options.beta = creal(p->beta);
  options.beta_imaginary = cimag(p->beta);
  options.devices = &engine;
  options.device_count = 1;
  return api.multiply_host(&result, &left, &right, &options, NULL, error);
}

void destroy_on_device(void* matrix) { api.matrix_destroy(matrix); }

/* An operand on the device. */
typedef struct Operand {
  tessera_matrix *stored, *view; /* view: op of it, null for kPlain */
  Kept* kept;                    /* not null if it stays there */
} Operand;

static tessera_status bring(Operand* operand, const Product* p, const Stored* of,
                            tessera_error** error) {
  void* resident = NULL;
  tessera_status status = TESSERA_OK;
  operand->kept = use_kept(of, &resident);
  operand->stored = resident;
  if (resident == NULL) {
    status = api.matrix_create(&operand->stored, engine, own_stream(), type_of(p), of->rows,
                               of->columns, error);
    if (status == TESSERA_OK)
      status = api.matrix_upload(operand->stored, of->data, of->leading_dimension, error);
    if (status != TESSERA_OK && operand->kept != NULL) {
      leave_kept(operand->kept, NULL);
      operand->kept = NULL;
    }
  }
  if (status == TESSERA_OK && of->op == kTransposed)
    status = api.matrix_transposed(&operand->view, operand->stored, error);
  if (status == TESSERA_OK && of->op == kAdjoint)
    status = api.matrix_adjoint(&operand->view, operand->stored, error);
  return status;
}
static const tessera_matrix* read_as(const Operand* operand) {
  return operand->view != NULL ? operand->view : operand->stored;
}
static void let_go(Operand* operand) {
  api.matrix_destroy(operand->view);
  if (operand->kept != NULL) {
    leave_kept(operand->kept, operand->stored);
  } else {
    api.matrix_destroy(operand->stored);
  }
}

static tessera_status multiply_with_copies(const Product* p, void* target, size_t leading_dimension,
                                           tessera_error** error) {
  const Stored a = stored_a(p), b = stored_b(p);
  tessera_multiply_options options = TESSERA_MULTIPLY_OPTIONS_INIT;
  Operand left = {NULL, NULL, NULL}, right = {NULL, NULL, NULL};
  tessera_matrix* result = NULL;
  tessera_status status = bring(&left, p, &b, error);
  options.alpha = creal(p->alpha);
  options.alpha_imaginary = cimag(p->alpha);
  options.beta = creal(p->beta);
  options.beta_imaginary = cimag(p->beta);
  if (status == TESSERA_OK) status = bring(&right, p, &a, error);
  if (status == TESSERA_OK)
    status = api.matrix_create(&result, engine, own_stream(), type_of(p), (size_t)p->n,
                               (size_t)p->m, error);
  if (status == TESSERA_OK && p->beta != 0)
    status = api.matrix_upload(result, target, leading_dimension, error);
  if (status == TESSERA_OK)
    status = api.multiply(result, read_as(&left), read_as(&right), &options, NULL, error);
  drop_kept_in(target, ((size_t)(p->n - 1) * leading_dimension + (size_t)p->m) * size_of(p));
  if (status == TESSERA_OK) status = api.matrix_download(result, target, leading_dimension, error);
  let_go(&left);
  let_go(&right);
  api.matrix_destroy(result);
  return status;
}

/* Half of the memory is for the operands and for tessera_multiply()'s copies of complex ones: twice
 * A, B if it is transposed, and C if a factor is complex. */
static int is_large(const Product* p) {
  const double a = (double)p->m * (double)p->k,
               others = (double)p->k * (double)p->n + (double)p->m * (double)p->n;
  const double filled = is_complex(p->type) ? 2 * (2 * a + others) : a + others;
  return filled * (double)size_of(p) > 0.5 * device_memory();
}

int multiply_on_device(const Product* p) {
  tessera_error* error = NULL;
  tessera_status status;
  size_t leading_dimension = 0;
  void* const target = target_of(p, &leading_dimension);
  if (target == NULL) return 0;
  status = is_large(p) || (computes_on_cpu && settings()->keep == 0)
               ? multiply_from_host(p, target, leading_dimension, &error)
               : multiply_with_copies(p, target, leading_dimension, &error);
  keep(p, target, status == TESSERA_OK);
  if (status == TESSERA_OK) return 1;
  report(error);
  note_failure();
  return 0;
}

int measure_copies(unsigned long bytes, double* up, double* down) {
  char* const memory = malloc(bytes);
  tessera_matrix* matrix = NULL;
  int i, is_done = memory != NULL && api.matrix_create(&matrix, engine, NULL, TESSERA_FLOAT32,
                                                       bytes / 4096, 1024, NULL) == TESSERA_OK;
  if (memory != NULL) memset(memory, 1, bytes);
  *up = *down = 1;
  for (i = 0; i < 5 && is_done; i++) { /* the first turn makes the staging memory */
    const double start = now();
    double middle, end;
    is_done = api.matrix_upload(matrix, memory, 1024, NULL) == TESSERA_OK;
    middle = now();
    is_done = is_done && api.matrix_download(matrix, memory, 1024, NULL) == TESSERA_OK;
    end = now();
    if (middle - start < *up) *up = middle - start;
    if (end - middle < *down) *down = end - middle;
  }
  if (memory != NULL) api.matrix_destroy(matrix);
  free(memory);
  return is_done;
}
