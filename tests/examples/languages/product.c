/* A product in C. */
#include <stdio.h>
#include <tessera/tessera.h>

int main(void) {
  const float a[] = {1, 2, 3, 4};
  float c[4];
  tessera_engine* engine = NULL;
  tessera_matrix *on_device = NULL, *wide = NULL, *product = NULL;
  tessera_error* error = NULL;

  if (tessera_engine_create(&engine, NULL, &error) != TESSERA_OK) goto end;
  if (tessera_matrix_create(&on_device, engine, NULL, TESSERA_FLOAT32, 2, 2, &error)) goto end;
  if (tessera_matrix_create(&product, engine, NULL, TESSERA_FLOAT32, 2, 2, &error)) goto end;
  if (tessera_matrix_create(&wide, engine, NULL, TESSERA_FLOAT32, 3, 5, &error)) goto end;
  if (tessera_matrix_upload(on_device, a, 2, &error)) goto end;
  if (tessera_multiply(product, on_device, on_device, NULL, NULL, &error)) goto end;
  if (tessera_matrix_download(product, c, 2, &error)) goto end;
  printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]); /* 7 10 15 22 */

  tessera_multiply(product, on_device, wide, NULL, NULL, &error);
end:
  printf("%s\n", tessera_error_message(error)); /* multiply: a is 2 x 2 and b is 3 x 5: … */
  tessera_error_destroy(error);
  tessera_matrix_destroy(on_device);
  tessera_matrix_destroy(wide);
  tessera_matrix_destroy(product);
  tessera_engine_destroy(engine);
  return 0;
}
