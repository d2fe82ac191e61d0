// Plans in C.
#include <complex>
#include <optional>
#include <string>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace detail = tessera::detail;

struct tessera_plan {
  tessera::Plan plan;
  std::string kernel = to_string(tessera::KernelChoice{plan.variant(), plan.parameters()});
};

namespace {

const tessera::Plan& get(const tessera_plan* plan) {
  need(plan, "the plan");
  return plan->plan;
}

tessera::RunOptions options_of_run(const tessera_plan_options* options) {
  const auto given = read<tessera_plan_options>(options, TESSERA_PLAN_OPTIONS_INIT);
  return {.alpha = std::complex(given.alpha, given.alpha_imaginary),
          .beta = std::complex(given.beta, given.beta_imaginary),
          .wait_for = events_of(given.wait_for, given.wait_count),
          .stream = stream_of(given.stream)};
}

}  // namespace

tessera_status tessera_plan_multiply(tessera_plan** plan, const tessera_matrix* c,
                                     const tessera_matrix* a, const tessera_matrix* b,
                                     const tessera_multiply_options* options,
                                     tessera_error** error) {
  return create(plan, error, [&] {
    return detail::plan_multiply({get(c, "c")}, {get(a, "a")}, {get(b, "b")}, options_of(options));
  });
}
tessera_status tessera_plan_multiply_batched(tessera_plan** plan, const tessera_batch* c,
                                             const tessera_batch* a, const tessera_batch* b,
                                             const tessera_multiply_options* options,
                                             tessera_error** error) {
  return create(plan, error, [&] {
    return detail::plan_multiply(batch_of(c, "c"), batch_of(a, "a"), batch_of(b, "b"),
                                 options_of(options));
  });
}
tessera_status tessera_plan_matrix_vector(tessera_plan** plan, const tessera_matrix* y,
                                          const tessera_matrix* a, const tessera_matrix* x,
                                          const tessera_multiply_options* options,
                                          tessera_error** error) {
  return create(plan, error, [&] {
    return detail::plan_matrix_vector(get(y, "y"), get(a, "a"), get(x, "x"), options_of(options));
  });
}

tessera_status tessera_plan_run(const tessera_plan* plan, const tessera_matrix* c,
                                const tessera_matrix* a, const tessera_matrix* b,
                                const tessera_plan_options* options, tessera_run** run,
                                tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::Access::run(get(plan), detail::Batch{get(c, "c")}, detail::Batch{get(a, "a")},
                               detail::Batch{get(b, "b")}, options_of_run(options));
  });
}
tessera_status tessera_plan_run_batched(const tessera_plan* plan, const tessera_batch* c,
                                        const tessera_batch* a, const tessera_batch* b,
                                        const tessera_plan_options* options, tessera_run** run,
                                        tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::Access::run(get(plan), batch_of(c, "c"), batch_of(a, "a"), batch_of(b, "b"),
                               options_of_run(options));
  });
}

const char* tessera_plan_kernel(const tessera_plan* plan) {
  return plan != nullptr ? plan->kernel.c_str() : "";
}
const char* tessera_plan_reason(const tessera_plan* plan) {
  return plan != nullptr ? plan->plan.reason().c_str() : "";
}
std::uint64_t tessera_plan_scratch_bytes(const tessera_plan* plan) {
  return plan != nullptr ? plan->plan.scratch_bytes() : 0;
}
double tessera_plan_expected_seconds(const tessera_plan* plan) {
  return plan != nullptr ? plan->plan.expected_seconds().value_or(-1) : -1;
}
void tessera_plan_destroy(tessera_plan* plan) { destroy(plan); }
