/* A client in C99 that calls every function of tessera/tessera.h once at least. */
#include "client.h"

static void use_base(void) {
  tessera_error* error = NULL;
  tessera_engine* none = NULL;
  tessera_engine_options options = TESSERA_ENGINE_OPTIONS_INIT;
  EXPECT(tessera_version() >= 1000);
  EXPECT(strcmp(tessera_status_name(TESSERA_OK), "ok") == 0);
  EXPECT(strcmp(tessera_status_name(TESSERA_ERROR_INVALID_SHAPE), "invalid_shape") == 0);
  EXPECT(strcmp(tessera_status_name(-7), "unknown") == 0);
  EXPECT(strcmp(tessera_type_name(TESSERA_BFLOAT16), "bfloat16") == 0);
  EXPECT(strcmp(tessera_type_name(TESSERA_COMPLEX128), "complex128") == 0);
  EXPECT(strcmp(tessera_type_name(8), "unknown") == 0);
  EXPECT(tessera_type_size(TESSERA_COMPLEX64) == 8);
  EXPECT(tessera_type_size(TESSERA_FLOAT64) == 8 && tessera_type_size(-1) == 0);
  EXPECT(tessera_error_status(NULL) == TESSERA_OK);
  EXPECT(tessera_error_opencl_code(NULL) == 0);
  EXPECT(strcmp(tessera_error_message(NULL), "") == 0 && strcmp(tessera_error_log(NULL), "") == 0);
  tessera_error_destroy(NULL);
  options.device = "no such device";
  EXPECT(tessera_engine_create(&none, &options, &error) == TESSERA_ERROR_NO_DEVICE);
  EXPECT(none == NULL && strcmp(tessera_error_log(error), "") == 0);
  EXPECT(strstr(tessera_error_message(error), "no such device") != NULL);
  tessera_error_destroy(error);
  EXPECT(tessera_engine_create(&none, &options, NULL) == TESSERA_ERROR_NO_DEVICE);
}

tessera_matrix* matrix_of(const tessera_engine* engine, tessera_type type, size_t rows,
                          size_t columns, const void* elements) {
  tessera_matrix* made = NULL;
  OK(tessera_matrix_create(&made, engine, NULL, type, rows, columns, &error));
  if (elements != NULL) OK(tessera_matrix_upload(made, elements, columns, &error));
  return made;
}

void expect_floats(const tessera_matrix* matrix, const float* expected) {
  const size_t rows = tessera_matrix_rows(matrix), columns = tessera_matrix_columns(matrix);
  float* const seen = (float*)malloc(rows * columns * sizeof(float));
  size_t i;
  EXPECT(seen != NULL);
  OK(tessera_matrix_download(matrix, seen, columns, &error));
  for (i = 0; i < rows * columns; i++) EXPECT(seen[i] == expected[i]);
  free(seen);
}

/* "without-tuning" is for valgrind: the tuner's workers do not run in it, and see another device.
 */
int main(int count, char** arguments) {
  tessera_engine* engine = NULL;
  tessera_engine_options options = TESSERA_ENGINE_OPTIONS_INIT;
  use_base();
  options.profile = "off";
  options.profiling = 1;
  OK(tessera_engine_create(&engine, &options, &error));
  use_engines(engine);
  use_matrices(engine);
  use_products(engine);
  use_complex_numbers(engine);
  use_options(engine);
  use_host_products(engine);
  use_unaligned_memory();
  use_eigenpairs(engine);
  if (count < 2 || strcmp(arguments[1], "without-tuning") != 0) use_tuning(engine);
  tessera_engine_destroy(engine);
  puts("every function works");
  return 0;
}
