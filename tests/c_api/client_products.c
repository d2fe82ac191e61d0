/* Products, sums, plans and options. */
#include "client.h"

static const float kA[6] = {1, 2, 3, 4, 5, 6}, kB[6] = {1, 0, 0, 1, 2, 2};
static const float kProduct[4] = {7, 8, 16, 17}; /* 2 x 3 times 3 x 2 */

void use_products(const tessera_engine* engine) {
  const float sums[2] = {6, 15}, twice[4] = {15, 17, 33, 35}, filled[4] = {3, 3, 3, 3};
  const float stacked[4] = {1, 2, 5, 10}, squares[4] = {1, 4, 25, 100};
  tessera_matrix *a = matrix_of(engine, TESSERA_FLOAT32, 2, 3, kA),
                 *b = matrix_of(engine, TESSERA_FLOAT32, 3, 2, kB),
                 *c = matrix_of(engine, TESSERA_FLOAT32, 2, 2, NULL),
                 *s = matrix_of(engine, TESSERA_FLOAT32, 2, 1, NULL),
                 *ones = matrix_of(engine, TESSERA_FLOAT32, 3, 1, NULL),
                 *column = matrix_of(engine, TESSERA_FLOAT32, 4, 1, stacked),
                 *result = matrix_of(engine, TESSERA_FLOAT32, 4, 1, NULL), *cell = NULL,
                 *result_cell = NULL;
  tessera_multiply_options options = TESSERA_MULTIPLY_OPTIONS_INIT;
  tessera_add_options add = TESSERA_ADD_OPTIONS_INIT;
  tessera_plan_options run_options = TESSERA_PLAN_OPTIONS_INIT;
  tessera_plan *plan = NULL, *vector_plan = NULL, *batch_plan = NULL;
  tessera_run* run = NULL;
  tessera_event* finished = NULL;
  tessera_batch batch, results;
  double seconds = 0;
  OK(tessera_multiply(c, a, b, NULL, &run, &error));
  expect_floats(c, kProduct);
  EXPECT(strlen(tessera_run_kernel(run)) > 0 && strlen(tessera_run_reason(run)) > 0);
  OK(tessera_run_seconds(run, &seconds, &error));
  EXPECT(seconds >= 0);
  OK(tessera_run_finished(&finished, run, &error));
  options.beta = 1;
  options.alpha = 2;
  options.wait_for = &finished;
  options.wait_count = 1;
  options.kernel = "tiled_static TILE=8";
  tessera_run_destroy(run);
  OK(tessera_fill(c, 1, NULL, &error));
  OK(tessera_multiply(c, a, b, &options, &run, &error));
  EXPECT(strstr(tessera_run_kernel(run), "tiled_static TILE=8") != NULL);
  expect_floats(c, twice);
  tessera_run_destroy(run);
  OK(tessera_row_sums(s, a, NULL, NULL, &error));
  expect_floats(s, sums);
  OK(tessera_fill(ones, 1, NULL, &error));
  OK(tessera_matrix_vector(s, a, ones, NULL, NULL, &error));
  expect_floats(s, sums);
  add.alpha = 0;
  add.beta = 0;
  add.constant = 3;
  OK(tessera_add(c, c, c, &add, NULL, &error));
  expect_floats(c, filled);

  OK(tessera_matrix_block(&cell, column, 0, 0, 1, 1, &error));
  OK(tessera_matrix_block(&result_cell, result, 0, 0, 1, 1, &error));
  batch.first = cell;
  results.first = result_cell;
  batch.count = results.count = 4;
  batch.stride = results.stride = 1;
  OK(tessera_multiply_batched(&results, &batch, &batch, NULL, NULL, &error));
  expect_floats(result, squares);

  OK(tessera_plan_multiply(&plan, c, a, b, NULL, &error));
  EXPECT(strlen(tessera_plan_kernel(plan)) > 0 && strlen(tessera_plan_reason(plan)) > 0);
  EXPECT(tessera_plan_scratch_bytes(plan) < (uint64_t)1 << 30);
  (void)tessera_plan_expected_seconds(plan);
  run_options.beta = 0;
  OK(tessera_plan_run(plan, c, a, b, &run_options, &run, &error));
  expect_floats(c, kProduct);
  OK(tessera_plan_multiply_batched(&batch_plan, &results, &batch, &batch, NULL, &error));
  OK(tessera_fill(result, 0, NULL, &error));
  OK(tessera_plan_run_batched(batch_plan, &results, &batch, &batch, NULL, NULL, &error));
  expect_floats(result, squares);
  OK(tessera_plan_matrix_vector(&vector_plan, s, a, ones, NULL, &error));
  OK(tessera_plan_run(vector_plan, s, a, ones, NULL, NULL, &error));
  expect_floats(s, sums);
  FAILS(TESSERA_ERROR_INVALID_VALUE, "plan",
        tessera_plan_run(plan, s, a, ones, NULL, NULL, &error));

  tessera_run_destroy(run);
  tessera_event_destroy(finished);
  tessera_plan_destroy(plan);
  tessera_plan_destroy(vector_plan);
  tessera_plan_destroy(batch_plan);
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(b);
  tessera_matrix_destroy(c);
  tessera_matrix_destroy(s);
  tessera_matrix_destroy(ones);
  tessera_matrix_destroy(column);
  tessera_matrix_destroy(result);
  tessera_matrix_destroy(cell);
  tessera_matrix_destroy(result_cell);
}

/* Views and factors of complex matrices. */
void use_complex_numbers(const tessera_engine* engine) {
  /* a = (1 + 2i, 3 - i), and the adjoint of a times a is ((5, 1 - 7i), (1 + 7i, 10)). */
  const float elements[4] = {1, 2, 3, -1}, square[8] = {5, 0, 1, -7, 1, 7, 10, 0};
  const float conjugates[4] = {1, -2, 3, 1}, filled[4] = {0, 2, 0, 2}, norm[2] = {15, 0};
  float seen[8];
  tessera_multiply_options options = TESSERA_MULTIPLY_OPTIONS_INIT;
  tessera_plan_options run_options = TESSERA_PLAN_OPTIONS_INIT;
  tessera_add_options add = TESSERA_ADD_OPTIONS_INIT;
  tessera_matrix *a = matrix_of(engine, TESSERA_COMPLEX64, 1, 2, elements),
                 *c = matrix_of(engine, TESSERA_COMPLEX64, 2, 2, NULL), *adjoint = NULL,
                 *conjugated = NULL, *y = matrix_of(engine, TESSERA_COMPLEX64, 1, 1, NULL),
                 *real = matrix_of(engine, TESSERA_FLOAT32, 1, 1, elements),
                 *result = matrix_of(engine, TESSERA_FLOAT32, 1, 1, NULL);
  tessera_plan* plan = NULL;
  OK(tessera_matrix_adjoint(&adjoint, a, &error));
  OK(tessera_matrix_conjugated(&conjugated, a, &error));
  EXPECT(tessera_matrix_op(adjoint) == TESSERA_CONJUGATE_TRANSPOSE);
  EXPECT(tessera_matrix_op(conjugated) == TESSERA_CONJUGATE);
  OK(tessera_matrix_download(conjugated, seen, 2, &error));
  EXPECT(memcmp(seen, conjugates, sizeof conjugates) == 0);
  OK(tessera_multiply(c, adjoint, a, NULL, NULL, &error));
  OK(tessera_matrix_download(c, seen, 2, &error));
  EXPECT(memcmp(seen, square, sizeof square) == 0);
  OK(tessera_matrix_vector(y, a, conjugated, NULL, NULL, &error));
  OK(tessera_matrix_download(y, seen, 1, &error));
  EXPECT(memcmp(seen, norm, sizeof norm) == 0);
  OK(tessera_row_sums(y, conjugated, NULL, NULL, &error));
  OK(tessera_matrix_download(y, seen, 1, &error));
  EXPECT(seen[0] == 4 && seen[1] == -1);
  /* c = (-1 + i) c + i c = (-1 + 2i) c */
  options.alpha = -1;
  options.alpha_imaginary = 1;
  options.beta = 0;
  options.beta_imaginary = 1;
  OK(tessera_multiply(c, adjoint, a, &options, NULL, &error));
  OK(tessera_matrix_download(c, seen, 2, &error));
  EXPECT(seen[0] == -5 && seen[1] == 10 && seen[2] == 13 && seen[3] == 9);
  OK(tessera_plan_multiply(&plan, c, adjoint, a, NULL, &error));
  run_options.alpha = 0;
  run_options.alpha_imaginary = 1;
  OK(tessera_plan_run(plan, c, adjoint, a, &run_options, NULL, &error));
  OK(tessera_matrix_download(c, seen, 2, &error));
  EXPECT(seen[0] == 0 && seen[1] == 5 && seen[2] == 7 && seen[3] == 1);
  add.alpha = add.beta = 0;
  add.constant_imaginary = 2;
  OK(tessera_add(a, a, a, &add, NULL, &error));
  OK(tessera_matrix_download(a, seen, 2, &error));
  EXPECT(memcmp(seen, filled, sizeof filled) == 0);
  FAILS(TESSERA_ERROR_INVALID_VALUE, "alpha is -1+1i",
        tessera_multiply(result, real, real, &options, NULL, &error));
  tessera_plan_destroy(plan);
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(c);
  tessera_matrix_destroy(adjoint);
  tessera_matrix_destroy(conjugated);
  tessera_matrix_destroy(y);
  tessera_matrix_destroy(real);
  tessera_matrix_destroy(result);
}

/* Programs of other versions, and wrong arguments. */
void use_options(const tessera_engine* engine) {
  struct {
    tessera_multiply_options known;
    uint64_t unknown;
  } longer = {TESSERA_MULTIPLY_OPTIONS_INIT, 0};
  tessera_multiply_options shorter = TESSERA_MULTIPLY_OPTIONS_INIT, wrong = shorter;
  tessera_matrix *a = matrix_of(engine, TESSERA_FLOAT32, 2, 3, kA),
                 *b = matrix_of(engine, TESSERA_FLOAT32, 3, 2, kB),
                 *c = matrix_of(engine, TESSERA_FLOAT32, 2, 2, NULL),
                 *d = matrix_of(engine, TESSERA_FLOAT64, 2, 2, NULL);
  tessera_run* run = NULL;
  longer.known.struct_size = sizeof longer;
  OK(tessera_multiply(c, a, b, &longer.known, NULL, &error));
  expect_floats(c, kProduct);
  longer.unknown = 1;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "does not know",
        tessera_multiply(c, a, b, &longer.known, &run, &error));
  EXPECT(run == NULL);
  /* What follows alpha and beta is not read. */
  shorter.struct_size = offsetof(tessera_multiply_options, kernel);
  memset((char*)&shorter + shorter.struct_size, 0xff, sizeof shorter - shorter.struct_size);
  OK(tessera_multiply(c, a, b, &shorter, NULL, &error));
  expect_floats(c, kProduct);
  wrong.struct_size = 0;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "struct_size is 0",
        tessera_multiply(c, a, b, &wrong, NULL, &error));
  wrong.struct_size = sizeof wrong;
  wrong.reserved = 1;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "reserved", tessera_multiply(c, a, b, &wrong, NULL, &error));
  wrong.reserved = 0;
  wrong.struct_size = 12;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "struct_size is 12",
        tessera_multiply(c, a, b, &wrong, NULL, &error));
  wrong.struct_size = sizeof wrong;
  wrong.accuracy = 2;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "accuracy", tessera_multiply(c, a, b, &wrong, NULL, &error));
  wrong.accuracy = TESSERA_ACCURACY_IEEE;
  wrong.kernel = "tiled_static TILE";
  FAILS(TESSERA_ERROR_INVALID_VALUE, "TILE", tessera_multiply(c, a, b, &wrong, NULL, &error));
  wrong.kernel = "no_such";
  FAILS(TESSERA_ERROR_UNKNOWN_NAME, "no_such", tessera_multiply(c, a, b, &wrong, NULL, &error));
  FAILS(TESSERA_ERROR_INVALID_SHAPE, "a is 2 x 3", tessera_multiply(c, a, a, NULL, NULL, &error));
  FAILS(TESSERA_ERROR_WRONG_TYPE, "double", tessera_multiply(d, a, b, NULL, NULL, &error));
  FAILS(TESSERA_ERROR_INVALID_VALUE, "b is NULL", tessera_multiply(c, a, NULL, NULL, NULL, &error));
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(b);
  tessera_matrix_destroy(c);
  tessera_matrix_destroy(d);
}
