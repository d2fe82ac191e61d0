/* Decides who computes a product. Small ones never come here. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "front.h"

/* A device has been asked for each type: nobody yet, somebody is at it, it serves, it does not. */
enum State { kCold, kWarming, kReady, kOff };

/* 0 until the first product reads the settings, and if each product is to be counted. */
double least_work[kTypes];
/* From what size on products are worth a look: a launch takes microseconds. */
static double least;

static void begin(void) {
  const double edge = settings()->least > 0 ? settings()->least : 64;
  int type;
  least = edge * edge * edge;
  for (type = 0; type < kTypes && !settings()->explains; type++)
    least_work[type] = settings()->is_off ? INFINITY : least;
}
static pthread_once_t begun = PTHREAD_ONCE_INIT;

static int states[kTypes]; /* kCold */
static Model models[kTypes];
static pthread_mutex_t warming = PTHREAD_MUTEX_INITIALIZER;
static int is_forked, failures;
static pthread_once_t at_fork = PTHREAD_ONCE_INIT;

static void note_fork(void) {
  is_forked = 1;
  forget_products();
}
static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, note_fork); }

static void end_with(Type type, int state) {
  if (state == kOff && !settings()->explains) least_work[type] = INFINITY;
  __atomic_store_n(&states[type], state, __ATOMIC_RELEASE);
}

typedef struct Task {
  const Family* family;
  void* next;
} Task;

/* The products that this thread measures, and those that the next BLAS then asks for, are not ours:
 * netlib's cblas_dgemm calls dgemm_. */
static __thread int measures = 0;
int is_measuring(void) { return measures; }

/* Opens the device, and learns from how large a product it is faster. */
static void warm_up(const Task* task) {
  const Type type = task->family->type;
  pthread_mutex_lock(&warming);
  measures = 1;
  if (states[type] == kCold || states[type] == kWarming) {
    if (settings()->is_off || !open_device()) {
      end_with(type, kOff);
    } else {
      if (settings()->least == 0) make_model(&models[type], task->family, task->next);
      end_with(type, kReady);
    }
  }
  measures = 0;
  pthread_mutex_unlock(&warming);
}

static void* warm_up_aside(void* task) {
  warm_up(task);
  free(task);
  return NULL;
}

int start_thread(pthread_t* thread, void* (*work)(void*), void* of) {
  sigset_t all, before;
  int failure;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  failure = pthread_create(thread, NULL, work, of);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure == 0;
}

static void begin_warming(Family* family, void* caller) {
  const Type type = family->type;
  const Task task = {family, next_function(&family->product, family, caller).function};
  int cold = kCold;
  pthread_once(&at_fork, watch_forks);
  if (settings()->waits) {
    warm_up(&task);
  } else if (__atomic_compare_exchange_n(&states[type], &cold, kWarming, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
    pthread_t thread;
    Task* const own = malloc(sizeof *own);
    if (own != NULL) *own = task;
    if (own == NULL || !start_thread(&thread, warm_up_aside, own)) {
      free(own);
      end_with(type, kOff);
      return;
    }
    pthread_detach(thread);
  }
}

Outcome outcome_of(const Product* product, Family* family, void* caller) {
  const Type type = family->type;
  int state;
  pthread_once(&begun, begin);
  if (is_forked) return kForked;
  if (measures) return kOpening;
  if (settings()->is_off) return kNoDevice;
  if ((double)product->m * (double)product->n * (double)product->k < least) return kSmall;
  if (__atomic_load_n(&states[type], __ATOMIC_ACQUIRE) == kCold) begin_warming(family, caller);
  state = __atomic_load_n(&states[type], __ATOMIC_ACQUIRE);
  if (state != kReady) return state == kOff ? kNoDevice : kOpening;
  return settings()->least > 0 || prefers_device(&models[type], product) ? kOnDevice
                                                                         : kNextIsFaster;
}

/* By the next BLAS: the columns from `first` on. */
static void compute_others(const Product* product, int64_t first, Family* family, void* caller) {
  const size_t bytes = elements[product->type].bytes,
               step = product->op_b == kPlain ? (size_t)product->ldb : 1;
  const Next next = next_function(&family->product, family, caller);
  Product others = *product;
  others.n -= first;
  others.b = (const char*)product->b + (size_t)first * step * bytes;
  others.c = (char*)product->c + (size_t)first * (size_t)product->ldc * bytes;
  if (next.function != NULL) {
    family->call_product(&others, next.function);
  } else {
    compute_plainly(&others);
  }
}

int compute(const Product* product, Family* family, void* caller) {
  Outcome outcome = outcome_of(product, family, caller);
  if (outcome == kOnDevice) {
    const int64_t columns = columns_by_device(product);
    if (columns == 0) {
      outcome = kFailed;
    } else if (columns < product->n) {
      compute_others(product, columns, family, caller);
    }
  }
  if (!measures) count_product(family->type, outcome);
  return outcome == kOnDevice;
}

/* After three failures, the device is left alone. */
void note_failure(void) {
  int type;
  if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) != 3) return;
  complain("three products have failed", "the next BLAS computes all others");
  for (type = 0; type < kTypes; type++) end_with((Type)type, kOff);
}
