/* Tuning, profiles of tuned kernels, and checks of kernels. See tessera/tessera.h.
 *
 * A problem is JSON, as {"op": "multiply", "dtype": "float", "m": 1024, "n": 1024, "k": 1024}.
 * The keys are listed in docs/json.md. A kernel is text, as "tiled_static TILE=16". */
#ifndef TESSERA_C_TUNE_H
#define TESSERA_C_TUNE_H

#include <tessera/c/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TESSERA_TUNE_SEARCH = 0, TESSERA_TUNE_FINALS = 1, TESSERA_TUNE_CHECK = 2 };
typedef struct tessera_tune_state {
  double elapsed, budget; /* seconds */
  size_t tried, space;    /* kernels, with parameters */
  double best;            /* seconds of the best one, negative until a trial succeeded */
  double default_seconds; /* of the kernel that runs without a profile; 0 until it is known */
  int32_t stage;
  int32_t reserved;
} tessera_tune_state;
/* The tuner calls it after each trial, and while it compares and checks the best kernels; not 0
 * ends the search, which keeps the best kernel so far. */
typedef int32_t (*tessera_tune_progress)(const tessera_tune_state* state, void* user);

/* The order in which kernels are tried. */
enum { TESSERA_TUNE_MODEL = 0, TESSERA_TUNE_RANDOM = 1, TESSERA_TUNE_FULL = 2 };

typedef struct tessera_tune_options {
  size_t struct_size;
  double budget; /* seconds, for everything */
  uint64_t seed;
  uint64_t max_evaluations;       /* 0: no limit */
  const char* variant;            /* the only one to try; NULL: all */
  const char* journal;            /* a file; NULL: in $XDG_STATE_HOME/tessera/tuning */
  tessera_tune_progress progress; /* may be NULL */
  void* user;                     /* for progress() */
  const tessera_cancel* cancel;   /* may be NULL */
  int32_t strategy;
  int32_t fresh;    /* not 0: what earlier tuners measured is discarded */
  int32_t save;     /* not 0: the winner goes to the profile */
  int32_t reserved; /* 0 */
} tessera_tune_options;
#define TESSERA_TUNE_OPTIONS_INIT                                                                 \
  {                                                                                               \
    sizeof(tessera_tune_options), 120, 1, 0, NULL, NULL, NULL, NULL, NULL, TESSERA_TUNE_MODEL, 0, \
        1, 0                                                                                      \
  }

typedef struct tessera_tuning tessera_tuning;

/* Searches for the fastest kernel for a problem. Waits. The engine uses a winner at once that a
 * profile may hold, whether it is saved or not. */
TESSERA_C_API tessera_status tessera_tune(tessera_tuning** tuning, const tessera_engine* engine,
                                          const char* problem, const tessera_tune_options* options,
                                          tessera_error** error);
/* The winner, and the kernel that runs without a profile. */
TESSERA_C_API const char* tessera_tuning_best(const tessera_tuning* tuning);
TESSERA_C_API const char* tessera_tuning_default(const tessera_tuning* tuning);
/* The default's time / the winner's: the median, and its 95 % interval. */
TESSERA_C_API double tessera_tuning_speedup(const tessera_tuning* tuning);
TESSERA_C_API double tessera_tuning_speedup_lower(const tessera_tuning* tuning);
TESSERA_C_API double tessera_tuning_speedup_upper(const tessera_tuning* tuning);
/* One line: what was saved where, or why nothing was. */
TESSERA_C_API const char* tessera_tuning_conclusion(const tessera_tuning* tuning);
/* All trials, in the order in which they ended. */
TESSERA_C_API size_t tessera_tuning_count(const tessera_tuning* tuning);
TESSERA_C_API const char* tessera_tuning_kernel(const tessera_tuning* tuning, size_t index);
/* Median seconds; infinite if the trial failed. */
TESSERA_C_API double tessera_tuning_seconds(const tessera_tuning* tuning, size_t index);
/* "ok", "slow", "wrong", … and why. */
TESSERA_C_API const char* tessera_tuning_outcome(const tessera_tuning* tuning, size_t index);
TESSERA_C_API const char* tessera_tuning_reason(const tessera_tuning* tuning, size_t index);
TESSERA_C_API void tessera_tuning_destroy(tessera_tuning* tuning);

/* Tuned kernels in a file, oldest first. */
typedef struct tessera_profile tessera_profile;
/* `file`: NULL for the file that the engine uses. A file that does not exist has no entries. */
TESSERA_C_API tessera_status tessera_profile_create(tessera_profile** profile,
                                                    const tessera_engine* engine, const char* file,
                                                    tessera_error** error);
TESSERA_C_API const char* tessera_profile_file(const tessera_profile* profile);
TESSERA_C_API size_t tessera_profile_count(const tessera_profile* profile);
/* Of entry `index`; NULL or 0 for an index that is too large. */
TESSERA_C_API const char* tessera_profile_problem(const tessera_profile* profile, size_t index);
TESSERA_C_API const char* tessera_profile_kernel(const tessera_profile* profile, size_t index);
TESSERA_C_API double tessera_profile_seconds(const tessera_profile* profile, size_t index);
TESSERA_C_API double tessera_profile_default_seconds(const tessera_profile* profile, size_t index);
/* Why the engine does not use it; "" if it does. */
TESSERA_C_API const char* tessera_profile_why_not_used(const tessera_profile* profile,
                                                       size_t index);
TESSERA_C_API void tessera_profile_destroy(tessera_profile* profile);

/* Runs a kernel on a problem with random operands between guard zones, and compares every element
 * with a reference. A wrong result is TESSERA_ERROR_FAILED_CHECK. `kernel`: NULL for the library's
 * choice. `worst`, which may be NULL, gets the largest error as a share of its bound. */
TESSERA_C_API tessera_status tessera_check(const tessera_engine* engine, const char* problem,
                                           const char* kernel, uint64_t seed, double* worst,
                                           tessera_error** error);

#ifdef __cplusplus
}
#endif

#endif
