/* What the checks of front_client share. */
#ifndef TESSERA_TESTS_BLAS_CLIENT_H
#define TESSERA_TESTS_BLAS_CLIENT_H

#include <stdint.h>

/* Integers of the names that are without a suffix. */
#ifdef WIDE_INTEGERS
typedef int64_t Integer;
#else
typedef int32_t Integer;
#endif

extern int failed;
void expect(int holds, const char* what, const char* name);
int drawn(int least, int most);
/* A number that float and double hold exactly: products of them are exact. */
int element(void);

/* Problems of syrk, syr2k, symm, trsm and trmm, by every name. Returns how many there were. */
int check_blocked(int alpha, int beta);

#endif
