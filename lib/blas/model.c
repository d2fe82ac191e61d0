/* Measures the device and the next BLAS once, and keeps the figures: the same shape then goes the
 * same way in every process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "numbers.h"

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int prefers_device(const Model* model, const Product* p) {
  const double m = (double)p->m, n = (double)p->n, k = (double)p->k, work = m * n * k;
  const double element = (double)elements[p->type].bytes;
  const double up = element * (m * k + k * n + (p->beta == 0 ? 0 : m * n)), down = element * m * n;
  const double device =
      model->launch + work * model->multiply_add + up * model->up + down * model->down;
  /* Other kernels than the measured ones compute complex products with fewer columns. */
  if (is_complex(p->type) && p->n < 8) return 0;
  return 1.2 * device < work * model->host;
}

/* The least of some times of a cube of that edge, on the device or by the next BLAS. */
static double seconds_of_cube(int64_t edge, const Family* family, void* next) {
  const Type type = family->type, part = elements[type].part;
  const unsigned long bytes = (unsigned long)(edge * edge) * elements[type].bytes;
  void* const memory = malloc(3 * bytes);
  Product product = {type, kPlain, kPlain, edge, edge, edge, edge,
                     edge, edge,   1,      0,    NULL, NULL, NULL};
  double least = INFINITY, all = 0;
  int i;
  if (memory == NULL) return INFINITY;
  for (i = 0; i < (int)(2 * bytes / elements[part].bytes); i++)
    put_number(part, memory, i, (double)((int64_t)i * 7919 % 1009) / 1009 - 0.5);
  memset((char*)memory + 2 * bytes, 0, bytes);
  product.a = memory;
  product.b = (char*)memory + bytes;
  product.c = (char*)memory + 2 * bytes;
  /* The first one builds kernels or starts threads, unless the next BLAS is slow. */
  for (i = 0; i < 6 && all < 0.3; i++) {
    const double start = now();
    double taken;
    if (next != NULL) {
      family->call_product(&product, next);
    } else if (columns_by_device(&product) < product.n) {
      break;
    }
    taken = now() - start;
    if (i == 0 && (next == NULL || taken < 0.3)) continue;
    all += taken;
    if (taken < least) least = taken;
  }
  free(memory);
  return least;
}

static int is_sound(const Model* m) {
  const double sum = m->launch + m->multiply_add + m->up + m->down + m->host;
  return m->launch >= 0 && m->multiply_add > 0 && m->up >= 0 && m->down >= 0 && m->host > 0 &&
         sum < INFINITY;
}

static unsigned long hash_of(const char* text, unsigned long hash) {
  for (; *text != '\0'; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211UL;
  return hash;
}

/* The file for a device, a next BLAS, a type and a number of processors. */
static int file_of(char* path, unsigned long size, Type type, void* next) {
  char name[64];
  Dl_info its;
  const char* const library = next != NULL && dladdr(next, &its) != 0 ? its.dli_fname : "";
  struct stat file; /* an update of the other BLAS counts as another one */
  const unsigned long changed =
      stat(library, &file) == 0 ? (unsigned long)file.st_mtime ^ (unsigned long)file.st_size : 0;
  const unsigned long hash =
      hash_of(library, hash_of(device_name(), 14695981039346656037UL + changed +
                                                  (unsigned long)sysconf(_SC_NPROCESSORS_ONLN)));
  snprintf(name, sizeof name, "blas-%016lx-%s", hash, elements[type].name);
  return cache_file(path, size, name);
}

static int read_model(Model* m, const char* path) {
  FILE* const file = fopen(path, "r");
  int number = 0;
  if (file == NULL) return 0;
  number = fscanf(file, "6 %lf %lf %lf %lf %lf", &m->launch, &m->multiply_add, &m->up, &m->down,
                  &m->host);
  fclose(file);
  return number == 5 && is_sound(m);
}

/* Another process sees the whole file, or none. */
static void write_model(const Model* m, const char* path) {
  char temporary[4200];
  FILE* file;
  int is_written;
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  file = fopen(temporary, "w");
  if (file == NULL) return;
  is_written = fprintf(file, "6 %.9g %.9g %.9g %.9g %.9g\n", m->launch, m->multiply_add, m->up,
                       m->down, m->host) > 0;
  if (fclose(file) != 0 || !is_written || rename(temporary, path) != 0) (void)unlink(temporary);
}

/* A device's line goes through the times of two cubes; noise must not make it fall. The next BLAS
 * is taken to be as fast as in the better one from the start: what is measured at a noisy moment
 * then leaves products to it. */
static void fit(Model* m, const double device[2], const double host[2]) {
  const double low = 256. * 256 * 256, high = 1024. * 1024 * 1024;
  double slope = (device[1] - device[0]) / (high - low);
  if (!(slope > device[1] / high / 10)) slope = device[1] / high / 10;
  m->multiply_add = slope;
  m->launch = device[0] > low * slope ? device[0] - low * slope : 0;
  m->host = host[0] / low < host[1] / high ? host[0] / low : host[1] / high;
}

void make_model(Model* m, const Family* family, void* next) {
  const Type type = family->type;
  const double bytes = 32 << 20, element = (double)elements[type].bytes;
  char path[4096];
  const int has_file = file_of(path, sizeof path, type, next);
  double device[2], host[2] = {1, 1}; /* where there is no other BLAS, the device is faster */
  int i;
  /* The threads of a BLAS spin for a while after a product, and would slow the device's copies. */
  const struct timespec pause = {0, 300000000};
  if (has_file && read_model(m, path)) return;
  nanosleep(&pause, NULL);
  m->up = m->down = 0;
  if (!is_cpu() && measure_copies(32UL << 20, &m->up, &m->down)) {
    m->up /= bytes;
    m->down /= bytes;
  }
  for (i = 0; i < 2; i++) {
    const double edge = i == 0 ? 256 : 1024, copied = edge * edge * element;
    const double taken = seconds_of_cube((int64_t)edge, family, NULL);
    const double computed = taken - 2 * copied * m->up - copied * m->down;
    device[i] = computed > taken / 100 ? computed : taken / 100; /* copies vary */
  }
  for (i = 0; i < 2 && next != NULL; i++)
    host[i] = seconds_of_cube(i == 0 ? 256 : 1024, family, next);
  fit(m, device, host);
  if (has_file && is_sound(m)) write_model(m, path);
}
