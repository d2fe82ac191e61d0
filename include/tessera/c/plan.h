/* Plans: products whose kernel is chosen, built and checked in advance. See tessera/tessera.h. */
#ifndef TESSERA_C_PLAN_H
#define TESSERA_C_PLAN_H

#include <tessera/c/multiply.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel for operands of certain types, shapes and transposes. */
typedef struct tessera_plan tessera_plan;

/* The kernel that tessera_multiply() with these operands and options runs. Enqueues nothing. Of the
 * options, alpha and beta do not count. */
TESSERA_C_API tessera_status tessera_plan_multiply(tessera_plan** plan, const tessera_matrix* c,
                                                   const tessera_matrix* a, const tessera_matrix* b,
                                                   const tessera_multiply_options* options,
                                                   tessera_error** error);
TESSERA_C_API tessera_status tessera_plan_multiply_batched(
    tessera_plan** plan, const tessera_batch* c, const tessera_batch* a, const tessera_batch* b,
    const tessera_multiply_options* options, tessera_error** error);
TESSERA_C_API tessera_status tessera_plan_matrix_vector(
    tessera_plan** plan, const tessera_matrix* y, const tessera_matrix* a, const tessera_matrix* x,
    const tessera_multiply_options* options, tessera_error** error);

typedef struct tessera_plan_options {
  size_t struct_size;
  double alpha;                   /* at 0, a and b are not read */
  double beta;                    /* at 0, c is not read */
  const tessera_stream* stream;   /* NULL: c's */
  tessera_event* const* wait_for; /* before it starts */
  size_t wait_count;
  double alpha_imaginary; /* of complex elements; else 0 */
  double beta_imaginary;
} tessera_plan_options;
#define TESSERA_PLAN_OPTIONS_INIT \
  { sizeof(tessera_plan_options), 1, 0, NULL, NULL, 0, 0, 0 }

/* Runs the plan on operands of the same types, shapes and transposes, at any offset, and looks
 * nothing up. */
TESSERA_C_API tessera_status tessera_plan_run(const tessera_plan* plan, const tessera_matrix* c,
                                              const tessera_matrix* a, const tessera_matrix* b,
                                              const tessera_plan_options* options,
                                              tessera_run** run, tessera_error** error);
TESSERA_C_API tessera_status tessera_plan_run_batched(const tessera_plan* plan,
                                                      const tessera_batch* c,
                                                      const tessera_batch* a,
                                                      const tessera_batch* b,
                                                      const tessera_plan_options* options,
                                                      tessera_run** run, tessera_error** error);

/* The texts are as for a run. */
TESSERA_C_API const char* tessera_plan_kernel(const tessera_plan* plan);
TESSERA_C_API const char* tessera_plan_reason(const tessera_plan* plan);
/* Bytes of the device that a run works in. */
TESSERA_C_API uint64_t tessera_plan_scratch_bytes(const tessera_plan* plan);
/* Device time of a run, as tuned or as modelled; negative if no model knows. */
TESSERA_C_API double tessera_plan_expected_seconds(const tessera_plan* plan);
TESSERA_C_API void tessera_plan_destroy(tessera_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
