/* What the parts of the C client share: checks that end the program, and its engine. */
#ifndef TESSERA_TESTS_CLIENT_H
#define TESSERA_TESTS_CLIENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/* Evaluates a call whose last argument is &error, and which must succeed. */
#define OK(call)                                                                                   \
  do {                                                                                             \
    tessera_error* error = NULL;                                                                   \
    if ((call) != TESSERA_OK) {                                                                    \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, tessera_error_message(error)); \
      exit(1);                                                                                     \
    }                                                                                              \
    EXPECT(error == NULL);                                                                         \
  } while (0)

/* The same for one that must fail with this status, and with a message that contains `text`. */
#define FAILS(expected, text, call)                                          \
  do {                                                                       \
    tessera_error* error = NULL;                                             \
    const tessera_status status = (call);                                    \
    if (status != (expected) || tessera_error_status(error) != (expected) || \
        strstr(tessera_error_message(error), text) == NULL) {                \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call,      \
              tessera_status_name(status), tessera_error_message(error));    \
      exit(1);                                                               \
    }                                                                        \
    tessera_error_destroy(error);                                            \
  } while (0)

tessera_matrix* matrix_of(const tessera_engine* engine, tessera_type type, size_t rows,
                          size_t columns, const void* elements);
void expect_floats(const tessera_matrix* matrix, const float* expected);

void use_engines(const tessera_engine* engine);
void use_matrices(const tessera_engine* engine);
void use_products(const tessera_engine* engine);
void use_complex_numbers(const tessera_engine* engine);
void use_options(const tessera_engine* engine);
void use_host_products(const tessera_engine* engine);
void use_unaligned_memory(void);
void use_eigenpairs(const tessera_engine* engine);
void use_tuning(const tessera_engine* engine);

#endif
