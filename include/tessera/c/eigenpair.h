/* The dominant eigenvalue of a non-negative matrix, with a proven interval, and its eigenvector.
 * See tessera/tessera.h. */
#ifndef TESSERA_C_EIGENPAIR_H
#define TESSERA_C_EIGENPAIR_H

#include <tessera/c/multiply.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a round is computed, when rounds stop, and how they are accelerated: as in tessera/eigen.hpp.
 */
enum { TESSERA_METHOD_IMPLICIT = 0, TESSERA_METHOD_FUSED = 1, TESSERA_METHOD_EXPLICIT_STEPS = 2 };
enum { TESSERA_STOP_BOUNDS = 0, TESSERA_STOP_NEIGHBOURS = 1 };
enum {
  TESSERA_ACCELERATION_AUTOMATIC = 0,
  TESSERA_ACCELERATION_NONE = 1,
  TESSERA_ACCELERATION_KRYLOV = 2
};
/* The type in which rounds are summed. */
enum {
  TESSERA_ACCUMULATOR_AUTOMATIC = 0,
  TESSERA_ACCUMULATOR_TWO_FLOATS = 1,
  TESSERA_ACCUMULATOR_FLOAT64 = 2,
  TESSERA_ACCUMULATOR_COMPENSATED = 3
};
/* Why the rounds ended. */
enum {
  TESSERA_REASON_CONVERGED = 0,
  TESSERA_REASON_MAX_ROUNDS = 1,
  TESSERA_REASON_STALLED = 2,
  TESSERA_REASON_UNDERFLOW = 3
};
/* The irreducible blocks of the matrix, if the solve had to find them. */
enum {
  TESSERA_STRUCTURE_UNEXAMINED = 0,
  TESSERA_STRUCTURE_PRIMITIVE = 1,
  TESSERA_STRUCTURE_PERIODIC = 2,
  TESSERA_STRUCTURE_REDUCIBLE = 3
};

typedef struct tessera_eigen_state {
  const char* phase;   /* in words, valid during the call */
  uint64_t iterations; /* so far, over all phases */
  double lower, upper; /* bounds of the last one, which are not proven */
} tessera_eigen_state;
/* The calling thread calls it between batches of rounds; not 0 ends the solve. */
typedef int32_t (*tessera_eigen_progress)(const tessera_eigen_state* state, void* user);

typedef struct tessera_eigen_options {
  size_t struct_size;
  double tolerance;               /* relative width of the interval; > 0 */
  double neighbour_tolerance;     /* for TESSERA_STOP_NEIGHBOURS, in units of the row sums; > 0 */
  const tessera_stream* stream;   /* NULL: the matrix's */
  tessera_event* const* wait_for; /* before the matrix is read */
  size_t wait_count;
  tessera_eigen_progress progress; /* may be NULL */
  void* user;                      /* for progress() */
  const tessera_cancel* cancel;    /* may be NULL */
  uint32_t max_rounds;             /* on the device */
  int32_t method, stop, acceleration, accumulator;
  int32_t history; /* not 0: the bounds of every round are kept */
} tessera_eigen_options;
#define TESSERA_EIGEN_OPTIONS_INIT                                                     \
  {                                                                                    \
    sizeof(tessera_eigen_options), 1e-6, 1e-3, NULL, NULL, 0, NULL, NULL, NULL, 10000, \
        TESSERA_METHOD_IMPLICIT, TESSERA_STOP_BOUNDS, TESSERA_ACCELERATION_AUTOMATIC,  \
        TESSERA_ACCUMULATOR_AUTOMATIC, 0                                               \
  }

typedef struct tessera_eigenpair tessera_eigenpair;

/* The eigenvalue of largest modulus of a non-negative square matrix of float or double. Waits. A
 * negative, infinite or NaN element is TESSERA_ERROR_INVALID_ELEMENT. Not to converge is a result,
 * and the interval still holds. */
TESSERA_C_API tessera_status tessera_eigenpair_solve(tessera_eigenpair** pair,
                                                     const tessera_matrix* a,
                                                     const tessera_eigen_options* options,
                                                     tessera_error** error);

/* The midpoint of the proven bounds; `lower` if `upper` is infinite. */
TESSERA_C_API double tessera_eigenpair_value(const tessera_eigenpair* pair);
TESSERA_C_API double tessera_eigenpair_lower(const tessera_eigenpair* pair);
TESSERA_C_API double tessera_eigenpair_upper(const tessera_eigenpair* pair);
/* At least ||A v - value v|| / (value ||v||) in maximum norms. */
TESSERA_C_API double tessera_eigenpair_residual(const tessera_eigenpair* pair);
TESSERA_C_API uint64_t tessera_eigenpair_rounds(const tessera_eigenpair* pair);
TESSERA_C_API int32_t tessera_eigenpair_converged(const tessera_eigenpair* pair);
TESSERA_C_API int32_t tessera_eigenpair_reason(const tessera_eigenpair* pair);
TESSERA_C_API int32_t tessera_eigenpair_structure(const tessera_eigenpair* pair);
/* The common divisor of all cycles' lengths, the irreducible blocks, and those whose intervals hold
 * the spectral radius; 0 if unexamined. */
TESSERA_C_API size_t tessera_eigenpair_period(const tessera_eigenpair* pair);
TESSERA_C_API size_t tessera_eigenpair_classes(const tessera_eigenpair* pair);
TESSERA_C_API size_t tessera_eigenpair_basic_classes(const tessera_eigenpair* pair);
/* Rounds in the history; their bounds as pairs of lower and upper, not proven. */
TESSERA_C_API size_t tessera_eigenpair_history_count(const tessera_eigenpair* pair);
TESSERA_C_API const double* tessera_eigenpair_history(const tessera_eigenpair* pair);
/* The eigenvector, n x 1, not negative, with maximum 1: a handle of its own. */
TESSERA_C_API tessera_status tessera_eigenpair_vector(tessera_matrix** vector,
                                                      const tessera_eigenpair* pair,
                                                      tessera_error** error);
/* Device time in seconds, waits for the host included; negative if the engine was created without
 * profiling. */
TESSERA_C_API tessera_status tessera_eigenpair_seconds(const tessera_eigenpair* pair,
                                                       double* seconds, tessera_error** error);
TESSERA_C_API void tessera_eigenpair_destroy(tessera_eigenpair* pair);

#ifdef __cplusplus
}
#endif

#endif
