/* Random interleavings of products and of everything that changes memory: no product may use data
 * that an operand had before.
 *   resident_client STEPS SEED */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

void dgemm_(const char*, const char*, const int32_t*, const int32_t*, const int32_t*, const double*,
            const double*, const int32_t*, const double*, const int32_t*, const double*, double*,
            const int32_t*, size_t, size_t);
void cgemm_(const char*, const char*, const int32_t*, const int32_t*, const int32_t*,
            const float complex*, const float complex*, const int32_t*, const float complex*,
            const int32_t*, const float complex*, float complex*, const int32_t*, size_t, size_t);

enum { kSlots = 6, kEdge = 64, kPages = 12, kBytes = kPages * 4096 };

/* Memory for operands: mappings, a block of the heap, and one that a child shares. */
static struct Slot {
  enum { kMapped, kHeap, kShared } kind;
  char* memory;
} slots[kSlots];

static void give_up(int line) {
  printf("line %d: %s\n", line, strerror(errno));
  exit(2);
}

static uint64_t state;
static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % bound;
}
static double number(void) { return (double)draw(17) - 8; }

static void fill(char* memory) {
  double* const at = (double*)memory;
  size_t i;
  for (i = 0; i < kBytes / sizeof(double); i++) at[i] = number();
}

static char* map(void* where, int sharing) {
  char* const memory = mmap(where, kBytes, PROT_READ | PROT_WRITE,
                            MAP_ANONYMOUS | sharing | (where != NULL ? MAP_FIXED : 0), -1, 0);
  if (memory == MAP_FAILED) give_up(__LINE__);
  return memory;
}

static void* store_from_a_thread(void* at) {
  *(double*)at = 7;
  return NULL;
}

/* A whole number of random length at a random place, from a file. */
static void read_into(char* memory, int file) {
  const size_t at = draw(kBytes / 8) * 8, length = (1 + draw(600)) * 8;
  if (read(file, memory + at, length < kBytes - at ? length : kBytes - at) < 0) give_up(__LINE__);
}

static void change(struct Slot* slot, int zeros) {
  double* const at = (double*)slot->memory + draw(kBytes / 8);
  pid_t child;
  int status;
  switch (draw(14)) {
    case 0:
    case 1: *at = number(); return;
    case 2: memset(slot->memory + draw(kPages) * 4096u, 0, 4096); return;
    case 3: read_into(slot->memory, zeros); return;
    case 4: { /* from a pipe */
      const double value = number();
      int ends[2];
      if (pipe(ends) != 0 || write(ends[1], &value, 8) != 8 || read(ends[0], at, 8) != 8)
        give_up(__LINE__);
      close(ends[0]);
      close(ends[1]);
      return;
    }
    case 5: { /* as a debugger writes */
      double value = number();
      const struct iovec from = {&value, 8}, to = {at, 8};
      if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) != 8) *at = value;
      return;
    }
    case 6:
      if (slot->kind == kMapped &&
          madvise(slot->memory + draw(kPages) * 4096u, 4096, MADV_DONTNEED))
        give_up(__LINE__);
      return;
    case 7: /* another mapping in the same place */
      if (slot->kind != kMapped) return;
      map(slot->memory, MAP_PRIVATE);
      fill(slot->memory);
      return;
    case 8: /* moved away; something else comes to the old place */
      if (slot->kind != kMapped) return;
      {
        char* const old = slot->memory;
        char* const other = map(NULL, MAP_PRIVATE);
        if (mremap(old, kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, other) == MAP_FAILED)
          give_up(__LINE__);
        map(old, MAP_PRIVATE);
        fill(old);
        munmap(other, kBytes);
      }
      return;
    case 9:
      if (slot->kind != kHeap) return;
      free(slot->memory);
      slot->memory = malloc(kBytes);
      if (slot->memory == NULL) give_up(__LINE__);
      fill(slot->memory);
      return;
    case 10: { /* from a thread */
      pthread_t thread;
      if (draw(8) != 0) return;
      if (pthread_create(&thread, NULL, store_from_a_thread, at) != 0) give_up(__LINE__);
      pthread_join(thread, NULL);
      return;
    }
    case 11: /* a child writes to its copy, or to what it shares */
      if (draw(40) != 0) return;
      child = fork();
      if (child == 0) {
        *at = 9;
        _exit(0);
      }
      waitpid(child, &status, 0);
      return;
    case 12:
      if (slot->kind == kHeap) return;
      mprotect(slot->memory, kBytes, PROT_READ);
      mprotect(slot->memory, kBytes, PROT_READ | PROT_WRITE);
      return;
    default:
      if (slot->kind != kMapped) return;
      /* private memory of a file, which others could change */
      if (draw(20) == 0) {
        const int file = open("/proc/self/exe", O_RDONLY);
        if (mmap(slot->memory, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) ==
            MAP_FAILED)
          give_up(__LINE__);
        close(file);
        memset(slot->memory, 0, 64);
        map(slot->memory, MAP_PRIVATE);
        fill(slot->memory);
      }
  }
}

/* C = op(A) * B, compared with loops; B is the start of another slot, or of the same one. Some
 * places and sizes come often, so that operands stay. The elements are doubles, or complex numbers
 * of the same size, whose parts are the words of a double: they have few bits, and sums are exact.
 */
static int is_right(const struct Slot* slot, const struct Slot* other) {
  enum { kColumns = 16 }; /* so that B has over a page */
  static const int32_t offsets[] = {0, 0, 0, 0, 3, 700};
  const double* const a = (const double*)slot->memory + offsets[draw(6)];
  const double* const b = (const double*)other->memory;
  const float complex *const z = (const void*)a, *const w = (const void*)b;
  const int32_t m = draw(8) == 0 ? kEdge - 7 : kEdge, k = draw(8) == 0 ? kEdge - 3 : kEdge;
  const int32_t lda = kEdge + 2, columns = kColumns;
  const int turned = (int)draw(2), is_complex = draw(16) == 0;
  const double one = 1, zero = 0;
  const float complex complex_one = 1, complex_zero = 0;
  double c[kEdge * kColumns];
  float complex u[kEdge * kColumns];
  int32_t i, j, p;
  if (is_complex) {
    cgemm_(turned ? "C" : "N", "N", &m, &columns, &k, &complex_one, z, &lda, w, &k, &complex_zero,
           u, &m, 1, 1);
  } else {
    dgemm_(turned ? "T" : "N", "N", &m, &columns, &k, &one, a, &lda, b, &k, &zero, c, &m, 1, 1);
  }
  for (j = 0; j < columns; j++) {
    for (i = 0; i < m; i++) {
      double complex sum = 0;
      for (p = 0; p < k; p++) {
        const int32_t in_a = turned ? p + i * lda : i + p * lda, in_b = p + j * k;
        sum += !is_complex ? a[in_a] * b[in_b] : (turned ? conjf(z[in_a]) : z[in_a]) * w[in_b];
      }
      if ((is_complex ? (double complex)u[i + j * m] : c[i + j * m]) != sum) return 0;
    }
  }
  return 1;
}

int main(int count, char** arguments) {
  const long steps = count > 1 ? atol(arguments[1]) : 1000;
  const int zeros = open("/dev/zero", O_RDONLY);
  long i, products = 0, wrong = 0;
  state = count > 2 ? (uint64_t)atol(arguments[2]) : 1;
  for (i = 0; i < kSlots; i++) {
    slots[i].kind = i == kSlots - 1 ? kShared : i == kSlots - 2 ? kHeap : kMapped;
    slots[i].memory = slots[i].kind == kHeap
                          ? malloc(kBytes)
                          : map(NULL, slots[i].kind == kShared ? MAP_SHARED : MAP_PRIVATE);
    if (slots[i].memory == NULL) return 2;
    fill(slots[i].memory);
  }
  for (i = 0; i < steps; i++) {
    struct Slot* const slot = &slots[draw(kSlots)];
    if (draw(10) == 0) {
      change(slot, zeros);
    } else {
      products++;
      wrong += is_right(slot, &slots[draw(kSlots)]) ? 0 : 1;
    }
  }
  printf("%ld products, %ld wrong\n", products, wrong);
  return wrong == 0 ? 0 : 1;
}
