// Products, sums and runs in C.
#include <complex>
#include <string>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace detail = tessera::detail;

const char* tessera_run_kernel(const tessera_run* run) {
  if (run == nullptr) return "";
  return run->kernel.get([&] {
    return to_string(tessera::KernelChoice{run->run.variant(), run->run.parameters()});
  });
}
const char* tessera_run_reason(const tessera_run* run) {
  return run != nullptr ? run->run.reason().c_str() : "";
}
tessera_status tessera_run_seconds(const tessera_run* run, double* seconds, tessera_error** error) {
  return gives(seconds, -1.0, error, [&] {
    need(run, "the run");
    return run->run.seconds().value_or(-1);
  });
}
tessera_status tessera_run_finished(tessera_event** finished, const tessera_run* run,
                                    tessera_error** error) {
  return create(finished, error, [&] {
    need(run, "the run");
    return run->run.finished;
  });
}
void tessera_run_destroy(tessera_run* run) { destroy(run); }

tessera_status tessera_multiply(const tessera_matrix* c, const tessera_matrix* a,
                                const tessera_matrix* b, const tessera_multiply_options* options,
                                tessera_run** run, tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::multiply_into(get(c, "c"), get(a, "a"), get(b, "b"), options_of(options));
  });
}
tessera_status tessera_multiply_batched(const tessera_batch* c, const tessera_batch* a,
                                        const tessera_batch* b,
                                        const tessera_multiply_options* options, tessera_run** run,
                                        tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::multiply_batched_into(batch_of(c, "c"), batch_of(a, "a"), batch_of(b, "b"),
                                         options_of(options));
  });
}
tessera_status tessera_matrix_vector(const tessera_matrix* y, const tessera_matrix* a,
                                     const tessera_matrix* x,
                                     const tessera_multiply_options* options, tessera_run** run,
                                     tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::matrix_vector_into(get(y, "y"), get(a, "a"), get(x, "x"), options_of(options));
  });
}
tessera_status tessera_row_sums(const tessera_matrix* s, const tessera_matrix* a,
                                const tessera_multiply_options* options, tessera_run** run,
                                tessera_error** error) {
  return enqueue(run, error, [&] {
    return detail::row_sums_into(get(s, "s"), get(a, "a"), options_of(options));
  });
}

tessera_status tessera_add(const tessera_matrix* c, const tessera_matrix* a,
                           const tessera_matrix* b, const tessera_add_options* options,
                           tessera_run** run, tessera_error** error) {
  return enqueue(run, error, [&] {
    const auto given = read<tessera_add_options>(options, TESSERA_ADD_OPTIONS_INIT);
    return detail::add_into(get(c, "c"), get(a, "a"), get(b, "b"),
                            {.alpha = std::complex(given.alpha, given.alpha_imaginary),
                             .beta = std::complex(given.beta, given.beta_imaginary),
                             .constant = std::complex(given.constant, given.constant_imaginary),
                             .kernel = kernel_of(given.kernel),
                             .wait_for = events_of(given.wait_for, given.wait_count),
                             .stream = stream_of(given.stream)});
  });
}
tessera_status tessera_fill(const tessera_matrix* c, double value, tessera_run** run,
                            tessera_error** error) {
  return enqueue(run, error, [&] {
    const detail::Operand& filled = get(c, "c");
    return detail::add_into(filled, filled, filled, {.alpha = 0, .beta = 0, .constant = value});
  });
}
