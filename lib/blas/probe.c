/* A small product on the device that programs which know only BLAS would use. Ends with status 0 if
 * it is right. */
#include <signal.h>
#include <sys/prctl.h>
#include <tessera/tessera.h>

int main(void) {
  const float a[4] = {1, 2, 3, 4};
  float c[4] = {0, 0, 0, 0};
  tessera_engine* engine = NULL;
  tessera_matrix *on_device = NULL, *product = NULL;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a driver may hang longer than the program runs */
  if (tessera_engine_create(&engine, NULL, NULL) != TESSERA_OK ||
      tessera_matrix_create(&on_device, engine, NULL, TESSERA_FLOAT32, 2, 2, NULL) != TESSERA_OK ||
      tessera_matrix_create(&product, engine, NULL, TESSERA_FLOAT32, 2, 2, NULL) != TESSERA_OK ||
      tessera_matrix_upload(on_device, a, 2, NULL) != TESSERA_OK ||
      tessera_multiply(product, on_device, on_device, NULL, NULL, NULL) != TESSERA_OK ||
      tessera_matrix_download(product, c, 2, NULL) != TESSERA_OK)
    return 1;
  return c[0] == 7 && c[1] == 10 && c[2] == 15 && c[3] == 22 ? 0 : 1;
}
