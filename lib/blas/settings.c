/* Environment variables, complaints and the report. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front.h"

static Settings current = {0, 0, 0, 0, 2048, 0, NULL, NULL};
static pthread_once_t once = PTHREAD_ONCE_INIT;

void complain(const char* what, const char* why) {
  fprintf(stderr, "tessera-blas: %s: %s\n", what, why);
}

static double number_of(const char* text) {
  char* end = NULL;
  const double number = strtod(text, &end);
  if (end != text && *end == '\0' && number >= 1 && number <= INT_MAX) return number;
  complain("TESSERA_BLAS: no number of at least 1", text);
  return 0;
}

static void read_word(const char* word) {
  if (strcmp(word, "on") == 0) return;
  if (strcmp(word, "off") == 0) {
    current.is_off = 1;
  } else if (strcmp(word, "wait") == 0) {
    current.waits = 1;
  } else if (strcmp(word, "keep") == 0) {
    current.keep = 4 << 20;
  } else if (strncmp(word, "keep=", 5) == 0) {
    current.keep = (size_t)number_of(word + 5);
  } else if (strcmp(word, "explain") == 0) {
    current.explains = 1;
  } else if (strncmp(word, "next=", 5) == 0) {
    current.next = strdup(word + 5);
  } else if (strncmp(word, "min=", 4) == 0) {
    current.least = number_of(word + 4);
  } else if (strncmp(word, "slice=", 6) == 0) {
    const int slice = (int)number_of(word + 6);
    if (slice > 0) current.slice = slice;
  } else {
    complain("TESSERA_BLAS: expected on, off, wait, keep, explain, min=N, slice=N or next=FILE",
             word);
  }
}

static void read_settings(void) {
  const char* const words = getenv("TESSERA_BLAS");
  const char* const report = getenv("TESSERA_BLAS_REPORT");
  if (words != NULL) {
    char *const copy = strdup(words), *rest = NULL, *word;
    if (copy == NULL) return;
    for (word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest))
      read_word(word);
    free(copy);
  }
  if (report != NULL && *report != '\0') current.report = strdup(report);
}

const Settings* settings(void) {
  pthread_once(&once, read_settings);
  return &current;
}

static long products[kTypes][kOutcomes], kept_operands;
static int is_asked; /* this process has asked for a product, counted or not */

void count_product(Type type, Outcome outcome) {
  __atomic_store_n(&is_asked, 1, __ATOMIC_RELAXED);
  if (settings()->report != NULL && (outcome <= kFailed || settings()->explains))
    __atomic_add_fetch(&products[type][outcome], 1, __ATOMIC_RELAXED);
}

void count_kept(void) { __atomic_add_fetch(&kept_operands, 1, __ATOMIC_RELAXED); }

void forget_products(void) {
  memset(products, 0, sizeof products);
  kept_operands = is_asked = 0;
}

/* What the environment asks for is known if a product was worth a look. */
__attribute__((destructor)) static void write_report(void) {
  static const char* const names[kOutcomes] = {"device",  "next",    "failed",    "small",
                                               "invalid", "opening", "no device", "forked"};
  FILE* file;
  int type, outcome;
  long all = 0;
  for (type = 0; type < kTypes; type++) {
    for (outcome = 0; outcome < kOutcomes; outcome++) all += products[type][outcome];
  }
  if (all == 0) {
    if (is_asked && current.report != NULL && strcmp(current.report, "-") == 0)
      complain("no product was counted",
               "none ran on the device; the setting explain counts such products, too");
    return;
  }
  file = strcmp(current.report, "-") == 0 ? stderr : fopen(current.report, "a");
  if (file == NULL) return;
  for (type = 0; type < kTypes; type++) {
    for (outcome = 0; outcome < kOutcomes; outcome++) {
      if (products[type][outcome] > 0)
        fprintf(file, "%cgemm %s %ld\n", elements[type].letter, names[outcome],
                products[type][outcome]);
    }
  }
  if (kept_operands > 0) fprintf(file, "operands kept %ld\n", kept_operands);
  if (file != stderr) fclose(file);
}

int cache_file(char* path, unsigned long size, const char* name) {
  const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
  int length;
  if (cache != NULL && *cache == '/') {
    length = snprintf(path, size, "%s/tessera", cache);
  } else if (home != NULL && *home == '/') {
    length = snprintf(path, size, "%s/.cache", home);
    if (length < 0 || (unsigned long)length >= size) return 0;
    (void)mkdir(path, 0700);
    length = snprintf(path, size, "%s/.cache/tessera", home);
  } else {
    return 0;
  }
  if (length < 0 || (unsigned long)length + 202 >= size) return 0;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return 0;
  snprintf(path + length, size - (unsigned long)length, "/%.200s", name);
  return 1;
}
