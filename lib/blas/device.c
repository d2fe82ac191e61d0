/* The device, through libtessera_c, which is opened by a product that is worth it. */
#define _GNU_SOURCE
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"

struct Api api;
tessera_engine* engine;
enum { kStreams = 4 };
static tessera_stream* streams[kStreams];
static int is_opened, computes_on_cpu; /* is_opened: 0 not yet, 1 yes, -1 never */
static uint64_t capacity;

int is_cpu(void) { return computes_on_cpu; }
double device_memory(void) { return (double)capacity; }
const char* device_name(void) { return engine != NULL ? api.engine_device_name(engine) : ""; }

void report(tessera_error* error) {
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

const tessera_stream* own_stream(void) {
  static int threads;
  static __thread int number = -1;
  if (number < 0) number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % kStreams;
  return streams[number];
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
