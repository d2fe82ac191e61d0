/* Products of eight threads, while the program forks: all are right in every process, and all end.
 *   threads_client ROUNDS */
#include <complex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void dgemm_(const char*, const char*, const int32_t*, const int32_t*, const int32_t*, const double*,
            const double*, const int32_t*, const double*, const int32_t*, const double*, double*,
            const int32_t*, size_t, size_t);
void cgemm_(const char*, const char*, const int32_t*, const int32_t*, const int32_t*,
            const float complex*, const float complex*, const int32_t*, const float complex*,
            const int32_t*, const float complex*, float complex*, const int32_t*, size_t, size_t);
void cblas_zherk(int, int, int, int32_t, int32_t, double, const void*, int32_t, double, void*,
                 int32_t);
void cblas_ssyrk(int, int, int, int32_t, int32_t, float, const float*, int32_t, float, float*,
                 int32_t);

enum { kMost = 48, kThreads = 8 };
static long rounds;

static unsigned draw(unsigned* state, unsigned bound) {
  *state = *state * 1103515245u + 12345u;
  return (*state >> 16) % bound;
}

static double complex element(unsigned* state) {
  const double part = (double)draw(state, 17) - 8;
  return part + I * ((double)draw(state, 17) - 8);
}

/* C = A * B^H; the adjoint of a real matrix is its transpose. */
#define PRODUCT(GEMM, T)                                                                    \
  static int is_right_##GEMM(unsigned* state) {                                             \
    const int32_t m = 1 + (int32_t)draw(state, kMost), n = 1 + (int32_t)draw(state, kMost); \
    const int32_t k = 1 + (int32_t)draw(state, kMost);                                      \
    const T one = 1, zero = 0;                                                              \
    T a[kMost * kMost], b[kMost * kMost], c[kMost * kMost];                                 \
    int32_t i, j, p;                                                                        \
    for (i = 0; i < kMost * kMost; i++) {                                                   \
      a[i] = (T)element(state);                                                             \
      b[i] = (T)element(state);                                                             \
    }                                                                                       \
    GEMM("N", "C", &m, &n, &k, &one, a, &m, b, &n, &zero, c, &m, 1, 1);                     \
    for (j = 0; j < n; j++) {                                                               \
      for (i = 0; i < m; i++) {                                                             \
        double complex sum = 0;                                                             \
        for (p = 0; p < k; p++) sum += a[i + p * m] * conj(b[j + p * n]);                   \
        if (c[i + j * m] != sum) return 0;                                                  \
      }                                                                                     \
    }                                                                                       \
    return 1;                                                                               \
  }
PRODUCT(dgemm_, double)
PRODUCT(cgemm_, float complex)

/* The upper triangle of C = A * A^H. */
#define UPDATE(RANK_K, T)                                                                   \
  static int is_right_##RANK_K(unsigned* state) {                                           \
    const int32_t n = 1 + (int32_t)draw(state, kMost), k = 1 + (int32_t)draw(state, kMost); \
    T a[kMost * kMost], c[kMost * kMost];                                                   \
    int32_t i, j, p;                                                                        \
    for (i = 0; i < kMost * kMost; i++) a[i] = (T)element(state);                           \
    for (i = 0; i < kMost * kMost; i++) c[i] = 99;                                          \
    RANK_K(102, 121, 111, n, k, 1, a, n, 0, c, n);                                          \
    for (j = 0; j < n; j++) {                                                               \
      for (i = 0; i < n; i++) {                                                             \
        double complex sum = 0;                                                             \
        for (p = 0; p < k; p++) sum += a[i + p * n] * conj(a[j + p * n]);                   \
        if (c[i + j * n] != (i <= j ? sum : 99)) return 0;                                  \
      }                                                                                     \
    }                                                                                       \
    return 1;                                                                               \
  }
UPDATE(cblas_ssyrk, float)
UPDATE(cblas_zherk, double complex)

static int are_all_right(unsigned* state) {
  const int products = is_right_dgemm_(state) + is_right_cgemm_(state);
  return products + is_right_cblas_ssyrk(state) + is_right_cblas_zherk(state) == 4;
}

static void* compute(void* number) {
  unsigned state = *(const unsigned*)number;
  intptr_t wrong = 0;
  long i;
  for (i = 0; i < rounds; i++) wrong += are_all_right(&state) ? 0 : 1;
  return (void*)wrong;
}

int main(int count, char** arguments) {
  pthread_t threads[kThreads];
  unsigned numbers[kThreads], i;
  int children = 0, status;
  intptr_t wrong = 0;
  rounds = count > 1 ? atol(arguments[1]) : 100;
  for (i = 0; i < kThreads; i++) {
    numbers[i] = i + 1;
    if (pthread_create(&threads[i], NULL, compute, &numbers[i]) != 0) return 2;
  }
  for (i = 0; i < 60; i++) { /* before, while and after the device is opened */
    const struct timespec pause = {0, 2000000 + (long)i * 1000000};
    const pid_t child = fork();
    if (child == 0) {
      unsigned state = 100 + i;
      alarm(60); /* a hanging child ends by a signal */
      _exit(are_all_right(&state) ? 0 : 1);
    }
    if (child > 0) children++;
    nanosleep(&pause, NULL);
  }
  for (i = 0; i < kThreads; i++) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    wrong += (intptr_t)result;
  }
  for (; children > 0; children--)
    if (wait(&status) < 0 || status != 0) wrong++;
  printf("%ld wrong\n", (long)wrong);
  return wrong == 0 ? 0 : 1;
}
