/* What takes long: host products, eigenpairs, tuning, checks, and how they are cancelled. */
#include "client.h"

static int32_t go_on(const tessera_host_state* state, void* user) {
  *(size_t*)user = state->tiles_done;
  return state->tiles_done > state->tiles;
}

static int32_t stop(const tessera_host_state* state, void* user) {
  (void)state, (void)user;
  return 1;
}

/* i times the product of an adjoint and its matrix. */
static void use_complex_host_products(void) {
  float a[4] = {1, 2, 3, -1}, c[8];
  const float expected[8] = {0, 5, 7, 1, -7, 1, 0, 10};
  tessera_host_matrix of_a = {0}, adjoint, of_c;
  tessera_host_options options = TESSERA_HOST_OPTIONS_INIT;
  of_a.data = a;
  of_a.rows = 1;
  of_a.columns = of_a.leading_dimension = 2;
  of_a.type = TESSERA_COMPLEX64;
  adjoint = of_c = of_a;
  adjoint.rows = 2;
  adjoint.columns = 1;
  adjoint.op = TESSERA_CONJUGATE_TRANSPOSE;
  of_c.data = c;
  of_c.rows = 2;
  options.alpha = 0;
  options.alpha_imaginary = 1;
  OK(tessera_multiply_host(&of_c, &adjoint, &of_a, &options, NULL, &error));
  EXPECT(memcmp(c, expected, sizeof c) == 0);
}

void use_host_products(const tessera_engine* engine) {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 2, 0, 1, 2}, c[4] = {1, 1, 1, 1};
  tessera_host_matrix of_a = {0}, of_b = {0}, of_c = {0};
  tessera_host_options options = TESSERA_HOST_OPTIONS_INIT;
  tessera_host_report* report = NULL;
  tessera_engine* const own = (tessera_engine*)(uintptr_t)engine;
  tessera_cancel* cancel = NULL;
  size_t tiles = 0;
  of_a.data = a;
  of_a.rows = 2;
  of_a.columns = of_a.leading_dimension = 3;
  of_b.data = b; /* 2 x 3, transposed */
  of_b.rows = of_b.leading_dimension = 3;
  of_b.columns = 2;
  of_b.op = TESSERA_TRANSPOSE;
  of_c.data = c;
  of_c.rows = of_c.columns = of_c.leading_dimension = 2;
  options.devices = &own;
  options.device_count = 1;
  options.beta = 1;
  options.progress = go_on;
  options.user = &tiles;
  OK(tessera_multiply_host(&of_c, &of_a, &of_b, &options, &report, &error));
  EXPECT(c[0] == 8 && c[1] == 9 && c[2] == 17 && c[3] == 18 && tiles == 1);
  EXPECT(tessera_host_report_seconds(report) > 0 && tessera_host_report_count(report) == 1);
  EXPECT(strcmp(tessera_host_report_device(report, 0), tessera_engine_device_name(engine)) == 0);
  EXPECT(tessera_host_report_tiles(report, 0) == 1);
  EXPECT(tessera_host_report_bytes_in(report, 0) <= sizeof a + sizeof b + sizeof c);
  EXPECT(tessera_host_report_bytes_out(report, 0) <= sizeof c);
  EXPECT(strcmp(tessera_host_report_failure(report, 0), "") == 0);
  EXPECT(tessera_host_report_failure(report, 1) == NULL);
  tessera_host_report_destroy(report);
  OK(tessera_cancel_create(&cancel, &error));
  EXPECT(tessera_cancel_requested(cancel) == 0);
  tessera_cancel_request(cancel);
  EXPECT(tessera_cancel_requested(cancel) == 1);
  options.cancel = cancel;
  FAILS(TESSERA_ERROR_CANCELLED, "cancelled",
        tessera_multiply_host(&of_c, &of_a, &of_b, &options, &report, &error));
  EXPECT(report == NULL);
  tessera_cancel_destroy(cancel);
  options.cancel = NULL;
  options.progress = stop;
  FAILS(TESSERA_ERROR_CANCELLED, "progress",
        tessera_multiply_host(&of_c, &of_a, &of_b, &options, NULL, &error));
  options.progress = NULL;
  options.device_count = 0;
  FAILS(TESSERA_ERROR_CONFLICTING_OPTIONS, "device_count",
        tessera_multiply_host(&of_c, &of_a, &of_b, &options, NULL, &error));
  of_a.rows = of_c.rows = (size_t)-1;
  FAILS(TESSERA_ERROR_TOO_LARGE, "",
        tessera_multiply_host(&of_c, &of_a, &of_b, NULL, NULL, &error));
  of_a.rows = of_c.rows = 2;
  of_a.data = NULL;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "a is NULL",
        tessera_multiply_host(&of_c, &of_a, &of_b, NULL, NULL, &error));
  of_a.data = a;
  of_a.type = TESSERA_FLOAT64;
  FAILS(TESSERA_ERROR_WRONG_TYPE, "double",
        tessera_multiply_host(&of_c, &of_a, &of_b, NULL, NULL, &error));
  use_complex_host_products();
}

/* Doubles that do not begin at a multiple of 8 bytes, as in files that a program reads as a whole.
 */
void use_unaligned_memory(void) {
  const double elements[4] = {1, 2, 3, 4}, expected[4] = {7, 10, 15, 22};
  unsigned char operand[sizeof elements + 4], product[sizeof elements + 8];
  tessera_host_matrix a = {0}, c;
  double seen[4];
  memset(product, 7, sizeof product);
  memcpy(operand + 4, elements, sizeof elements);
  a.data = operand + 4;
  a.rows = a.columns = a.leading_dimension = 2;
  a.type = TESSERA_FLOAT64;
  c = a;
  c.data = product + 4;
  OK(tessera_multiply_host(&c, &a, &a, NULL, NULL, &error));
  memcpy(seen, product + 4, sizeof seen);
  EXPECT(memcmp(seen, expected, sizeof seen) == 0);
  EXPECT(product[3] == 7 && product[sizeof product - 4] == 7);
}

static int32_t solve_on(const tessera_eigen_state* state, void* user) {
  EXPECT(strlen(state->phase) > 0 && state->lower <= state->upper);
  *(uint64_t*)user = state->iterations;
  return 0;
}

void use_eigenpairs(const tessera_engine* engine) {
  const double positive[4] = {2, 1, 1, 2}, negative[4] = {2, -1, 1, 2}, cycle[4] = {0, 1, 1, 0};
  double components[2], seconds = -1;
  tessera_matrix *a = matrix_of(engine, TESSERA_FLOAT64, 2, 2, positive),
                 *bad = matrix_of(engine, TESSERA_FLOAT64, 2, 2, negative),
                 *periodic = matrix_of(engine, TESSERA_FLOAT64, 2, 2, cycle), *vector = NULL;
  tessera_eigen_options options = TESSERA_EIGEN_OPTIONS_INIT;
  tessera_eigenpair* pair = NULL;
  tessera_cancel* cancel = NULL;
  uint64_t iterations = 0;
  options.history = 1;
  options.progress = solve_on;
  options.user = &iterations;
  OK(tessera_eigenpair_solve(&pair, a, &options, &error));
  EXPECT(tessera_eigenpair_lower(pair) <= 3 && 3 <= tessera_eigenpair_upper(pair));
  EXPECT(tessera_eigenpair_upper(pair) - tessera_eigenpair_lower(pair) < 1e-5);
  EXPECT(tessera_eigenpair_value(pair) > 2.99 && tessera_eigenpair_residual(pair) < 1e-5);
  EXPECT(tessera_eigenpair_converged(pair) == 1);
  EXPECT(tessera_eigenpair_reason(pair) == TESSERA_REASON_CONVERGED);
  EXPECT(tessera_eigenpair_history_count(pair) > 0 && tessera_eigenpair_history(pair)[0] > 2.9);
  EXPECT(tessera_eigenpair_rounds(pair) + 1 >= tessera_eigenpair_history_count(pair));
  EXPECT(iterations <= 10000);
  OK(tessera_eigenpair_seconds(pair, &seconds, &error));
  EXPECT(seconds > 0);
  OK(tessera_eigenpair_vector(&vector, pair, &error));
  tessera_eigenpair_destroy(pair);
  OK(tessera_matrix_download(vector, components, 1, &error));
  EXPECT(components[0] == 1 && components[1] == 1);
  OK(tessera_eigenpair_solve(&pair, periodic, NULL, &error));
  EXPECT(tessera_eigenpair_structure(pair) == TESSERA_STRUCTURE_UNEXAMINED ||
         (tessera_eigenpair_structure(pair) == TESSERA_STRUCTURE_PERIODIC &&
          tessera_eigenpair_period(pair) == 2 && tessera_eigenpair_classes(pair) == 1 &&
          tessera_eigenpair_basic_classes(pair) == 1));
  tessera_eigenpair_destroy(pair);
  FAILS(TESSERA_ERROR_INVALID_ELEMENT, "(0, 1) is -1",
        tessera_eigenpair_solve(&pair, bad, NULL, &error));
  EXPECT(pair == NULL);
  options.method = 3;
  FAILS(TESSERA_ERROR_INVALID_VALUE, "method", tessera_eigenpair_solve(&pair, a, &options, &error));
  options.method = TESSERA_METHOD_IMPLICIT;
  OK(tessera_cancel_create(&cancel, &error));
  tessera_cancel_request(cancel);
  options.cancel = cancel;
  FAILS(TESSERA_ERROR_CANCELLED, "cancelled", tessera_eigenpair_solve(&pair, a, &options, &error));
  tessera_cancel_destroy(cancel);
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(bad);
  tessera_matrix_destroy(periodic);
  tessera_matrix_destroy(vector);
}

static int32_t tune_on(const tessera_tune_state* state, void* user) {
  EXPECT(state->elapsed >= 0 && state->budget == 20 && state->tried <= state->space);
  EXPECT(state->best != 0 && state->default_seconds >= 0 && state->stage <= TESSERA_TUNE_CHECK);
  ++*(size_t*)user;
  return 0;
}

static size_t lines = 0;
static void count_line(int32_t level, const char* line, void* user) {
  EXPECT(level >= TESSERA_LOG_WARNING && strlen(line) > 0);
  ++*(size_t*)user;
}

void use_tuning(const tessera_engine* engine) {
  const char* const problem =
      "{\"op\": \"multiply\", \"dtype\": \"float\", \"m\": 64, \"n\": 64, \"k\": 64}";
  tessera_tune_options options = TESSERA_TUNE_OPTIONS_INIT;
  tessera_tuning* tuning = NULL;
  tessera_profile* profile = NULL;
  tessera_cancel* cancel = NULL;
  double worst = -1;
  size_t reports = 0, i;
  OK(tessera_log_set(TESSERA_LOG_INFO, count_line, &lines, &error));
  OK(tessera_check(engine, problem, "naive", 7, &worst, &error));
  EXPECT(worst >= 0 && worst <= 1 && lines > 0);
  OK(tessera_log_set(TESSERA_LOG_WARNING, NULL, NULL, &error));
  FAILS(TESSERA_ERROR_INVALID_JSON, "", tessera_check(engine, "{", NULL, 1, NULL, &error));
  options.variant = "naive";
  options.budget = 20;
  options.max_evaluations = 3;
  options.save = 0;
  options.fresh = 1;
  options.progress = tune_on;
  options.user = &reports;
  OK(tessera_tune(&tuning, engine, problem, &options, &error));
  EXPECT(tessera_tuning_count(tuning) > 0 && reports > 0);
  EXPECT(strlen(tessera_tuning_default(tuning)) > 0);
  EXPECT(tessera_tuning_speedup_lower(tuning) <= tessera_tuning_speedup_upper(tuning));
  EXPECT(tessera_tuning_speedup(tuning) > 0 && strlen(tessera_tuning_conclusion(tuning)) > 0);
  EXPECT(tessera_tuning_best(tuning) != NULL);
  for (i = 0; i < tessera_tuning_count(tuning); i++) {
    EXPECT(strlen(tessera_tuning_kernel(tuning, i)) > 0);
    EXPECT(tessera_tuning_seconds(tuning, i) > 0 && tessera_tuning_reason(tuning, i) != NULL);
    EXPECT(strlen(tessera_tuning_outcome(tuning, i)) > 0);
  }
  tessera_tuning_destroy(tuning);
  /* A request ends a tuning that reports its progress, and what was found until then is the result.
   */
  OK(tessera_cancel_create(&cancel, &error));
  tessera_cancel_request(cancel);
  options.cancel = cancel;
  options.max_evaluations = 0;
  OK(tessera_tune(&tuning, engine, problem, &options, &error));
  EXPECT(tessera_tuning_count(tuning) <= 1);
  tessera_tuning_destroy(tuning);
  tessera_cancel_destroy(cancel);
  OK(tessera_profile_create(&profile, engine, "no/such/profile.jsonl", &error));
  EXPECT(strcmp(tessera_profile_file(profile), "no/such/profile.jsonl") == 0);
  EXPECT(tessera_profile_count(profile) == 0 && tessera_profile_problem(profile, 0) == NULL);
  EXPECT(tessera_profile_kernel(profile, 0) == NULL && tessera_profile_seconds(profile, 0) == 0);
  EXPECT(tessera_profile_default_seconds(profile, 0) == 0);
  EXPECT(tessera_profile_why_not_used(profile, 0) == NULL);
  tessera_profile_destroy(profile);
}
