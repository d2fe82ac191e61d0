/* Products on the device. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "front.h"

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
  char* copy;
  *leading_dimension = (size_t)p->ldc;
  if (p->beta == 0) return p->c;
  copy = malloc((size_t)p->n * column_bytes(p));
  if (copy == NULL) return NULL;
  copy_columns(p, 0, p->n, copy, 0);
  *leading_dimension = (size_t)p->m;
  return copy;
}

static void keep(const Product* p, void* target, int is_complete) {
  if (target == p->c) return;
  if (is_complete) copy_columns(p, 0, p->n, target, 1);
  free(target);
}

/* On the host's memory: in place on a CPU, in tiles for what a GPU cannot hold. */
static int64_t multiply_from_host(const Product* p, tessera_error** error) {
  const Stored a = stored_a(p), b = stored_b(p);
  size_t leading_dimension = 0;
  void* const target = target_of(p, &leading_dimension);
  tessera_status status;
  const size_t m = (size_t)p->m, n = (size_t)p->n, k = (size_t)p->k;
  tessera_host_options options = TESSERA_HOST_OPTIONS_INIT;
  tessera_host_matrix left = {NULL, n, k, b.leading_dimension, type_of(p), op_of(&b), 0, 0};
  tessera_host_matrix right = {NULL, k, m, a.leading_dimension, type_of(p), op_of(&a), 0, 0};
  const tessera_host_matrix result = {
      target, n, m, leading_dimension, type_of(p), TESSERA_NO_TRANSPOSE, 0, 0};
  if (target == NULL) return 0;
  left.data = (void*)(uintptr_t)b.data;
  right.data = (void*)(uintptr_t)a.data;
  options.alpha = creal(p->alpha);
  options.alpha_imaginary = cimag(p->alpha);
  options.beta = creal(p->beta);
  options.beta_imaginary = cimag(p->beta);
  options.devices = &engine;
  options.device_count = 1;
  status = api.multiply_host(&result, &left, &right, &options, NULL, error);
  keep(p, target, status == TESSERA_OK);
  return status == TESSERA_OK ? p->n : 0;
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

static int64_t multiply_with_copies(const Product* p, tessera_error** error) {
  const Stored a = stored_a(p), b = stored_b(p);
  tessera_multiply_options options = TESSERA_MULTIPLY_OPTIONS_INIT;
  Operand left = {NULL, NULL, NULL}, right = {NULL, NULL, NULL};
  tessera_matrix* result = NULL;
  int64_t columns = 0;
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
    status = api.matrix_upload(result, p->c, (size_t)p->ldc, error);
  if (status == TESSERA_OK)
    status = api.multiply(result, read_as(&left), read_as(&right), &options, NULL, error);
  drop_kept_in(p->c, ((size_t)(p->n - 1) * (size_t)p->ldc + (size_t)p->m) * size_of(p));
  if (status == TESSERA_OK && p->beta != 0) {
    columns = bring_columns(p, result, error);
  } else if (status == TESSERA_OK &&
             api.matrix_download(result, p->c, (size_t)p->ldc, error) == TESSERA_OK) {
    columns = p->n; /* nobody reads the old C, if that fails */
  }
  let_go(&left);
  let_go(&right);
  api.matrix_destroy(result);
  return columns;
}

/* Half of the memory is for the operands and for tessera_multiply()'s copies of complex ones: twice
 * A, B if it is transposed, and C if a factor is complex. */
static int is_large(const Product* p) {
  const double a = (double)p->m * (double)p->k,
               others = (double)p->k * (double)p->n + (double)p->m * (double)p->n;
  const double filled = is_complex(p->type) ? 2 * (2 * a + others) : a + others;
  return filled * (double)size_of(p) > 0.5 * device_memory();
}

int64_t columns_by_device(const Product* p) {
  tessera_error* error = NULL;
  const int64_t columns = is_large(p) || (is_cpu() && settings()->keep == 0)
                              ? multiply_from_host(p, &error)
                              : multiply_with_copies(p, &error);
  if (error != NULL) { /* else memory of the host has run out */
    report(error);
    note_failure();
  }
  return columns;
}
