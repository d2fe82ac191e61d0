// Calls of the C interface, each with operands that are there already.
#include "entries.hpp"

#include <vector>

namespace tessera::test {
namespace {

constexpr std::size_t kSize = 40;

void require(tessera_status status) {
  if (status != TESSERA_OK) throw std::string(tessera_status_name(status));
}

/// A function that makes a handle, and the one that destroys it.
template <class Handle, class Make>
Entry makes(const char* name, void (*destroy)(Handle*), Make&& make) {
  return {name, [=](tessera_error** error) {
            Handle* made = nullptr;
            const tessera_status status = make(&made, error);
            if ((status == TESSERA_OK) != (made != nullptr))
              throw std::string(name) + " gives a handle in spite of its status, or none";
            destroy(made);
            return status;
          }};
}

template <class Call>
Entry only(const char* name, Call&& call) {
  return {name, call};
}

}  // namespace

Operands::Operands() {
  tessera_engine_options options = TESSERA_ENGINE_OPTIONS_INIT;
  options.profile = "off";
  require(tessera_engine_create(&engine_, &options, nullptr));
  require(tessera_stream_of(&stream_, engine_, nullptr));
  for (tessera_matrix** matrix : {&a_, &b_, &c_})
    require(
        tessera_matrix_create(matrix, engine_, nullptr, TESSERA_FLOAT32, kSize, kSize, nullptr));
  for (tessera_matrix** vector : {&column_, &sums_})
    require(tessera_matrix_create(vector, engine_, nullptr, TESSERA_FLOAT32, kSize, 1, nullptr));
  for (const tessera_matrix* filled : {a_, b_, column_})
    require(tessera_fill(filled, 1, nullptr, nullptr));
  batch_of_a_ = {a_, 1, 0};
  batch_of_b_ = {b_, 1, 0};
  batch_of_c_ = {c_, 1, 0};
  require(tessera_multiply(c_, a_, b_, nullptr, &run_, nullptr));
  require(tessera_run_finished(&event_, run_, nullptr));
  require(tessera_plan_multiply(&plan_, c_, a_, b_, nullptr, nullptr));
  require(tessera_eigenpair_solve(&pair_, a_, nullptr, nullptr));
}

Operands::~Operands() {
  tessera_eigenpair_destroy(pair_);
  tessera_plan_destroy(plan_);
  tessera_event_destroy(event_);
  tessera_run_destroy(run_);
  for (tessera_matrix* matrix : {a_, b_, c_, column_, sums_}) tessera_matrix_destroy(matrix);
  tessera_stream_destroy(stream_);
  tessera_engine_destroy(engine_);
}

std::vector<Entry> Operands::entries() {
  using Error = tessera_error**;
  static std::vector<float> host(kSize * kSize, 1), host_c(kSize * kSize, 1);
  static const tessera_host_matrix of_host{
      host.data(), kSize, kSize, kSize, TESSERA_FLOAT32, TESSERA_NO_TRANSPOSE, 0, 0};
  static const tessera_host_matrix of_host_c{
      host_c.data(), kSize, kSize, kSize, TESSERA_FLOAT32, TESSERA_NO_TRANSPOSE, 0, 0};
  const char* const problem = R"({"op": "multiply", "dtype": "float", "m": 9, "n": 7, "k": 5})";
  return {
      makes("devices_create", tessera_devices_destroy,
            [](auto** made, Error error) { return tessera_devices_create(made, error); }),
      makes("engine_adopt_queue", tessera_engine_destroy,
            [this](auto** made, Error error) {
              return tessera_engine_adopt_queue(made, tessera_stream_queue(stream_), error);
            }),
      makes("engine_adopt_context", tessera_engine_destroy,
            [this](auto** made, Error error) {
              return tessera_engine_adopt_context(made, tessera_engine_context(engine_),
                                                  tessera_engine_device(engine_), error);
            }),
      only("engine_finish", [this](Error error) { return tessera_engine_finish(engine_, error); }),
      only("engine_memory",
           [this](Error error) {
             return tessera_engine_memory(engine_, nullptr, nullptr, nullptr, error);
           }),
      only("engine_release_scratch",
           [this](Error error) { return tessera_engine_release_scratch(engine_, error); }),
      makes(
          "stream_create", tessera_stream_destroy,
          [this](auto** made, Error error) { return tessera_stream_create(made, engine_, error); }),
      makes("stream_of", tessera_stream_destroy,
            [this](auto** made, Error error) { return tessera_stream_of(made, engine_, error); }),
      makes("stream_adopt", tessera_stream_destroy,
            [this](auto** made, Error error) {
              return tessera_stream_adopt(made, engine_, tessera_stream_queue(stream_), error);
            }),
      only("stream_finish", [this](Error error) { return tessera_stream_finish(stream_, error); }),
      only("stream_wait_for",
           [this](Error error) { return tessera_stream_wait_for(stream_, &event_, 1, error); }),
      makes("event_adopt", tessera_event_destroy,
            [this](auto** made, Error error) {
              return tessera_event_adopt(made, tessera_event_handle(event_), error);
            }),
      only("event_wait", [this](Error error) { return tessera_event_wait(event_, error); }),
      only("event_complete",
           [this](Error error) {
             std::int32_t complete = 0;
             return tessera_event_complete(event_, &complete, error);
           }),
      makes("matrix_create", tessera_matrix_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_create(made, engine_, nullptr, TESSERA_FLOAT32, 3, 4, error);
            }),
      makes("matrix_adopt", tessera_matrix_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_adopt(made, engine_, stream_, tessera_matrix_buffer(a_),
                                          TESSERA_FLOAT32, 1, 2, 3, 4, error);
            }),
      makes("matrix_block", tessera_matrix_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_block(made, a_, 1, 2, 3, 4, error);
            }),
      makes(
          "matrix_transposed", tessera_matrix_destroy,
          [this](auto** made, Error error) { return tessera_matrix_transposed(made, a_, error); }),
      makes("matrix_adjoint", tessera_matrix_destroy,
            [this](auto** made, Error error) { return tessera_matrix_adjoint(made, a_, error); }),
      makes(
          "matrix_conjugated", tessera_matrix_destroy,
          [this](auto** made, Error error) { return tessera_matrix_conjugated(made, a_, error); }),
      makes("matrix_copy", tessera_matrix_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_copy(made, a_, stream_, error);
            }),
      makes("matrix_copy_into", tessera_event_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_copy_into(c_, a_, made, error);
            }),
      only("matrix_upload",
           [this](Error error) { return tessera_matrix_upload(c_, host.data(), kSize, error); }),
      only(
          "matrix_download",
          [this](Error error) { return tessera_matrix_download(c_, host_c.data(), kSize, error); }),
      makes("matrix_upload_async", tessera_event_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_upload_async(c_, host.data(), kSize, made, error);
            }),
      makes("matrix_download_async", tessera_event_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_download_async(c_, host_c.data(), kSize, made, error);
            }),
      makes("pinned_create", tessera_pinned_destroy,
            [this](auto** made, Error error) {
              return tessera_pinned_create(made, engine_, TESSERA_FLOAT32, 3, 4, error);
            }),
      only("run_seconds",
           [this](Error error) {
             double seconds = 0;
             return tessera_run_seconds(run_, &seconds, error);
           }),
      makes("run_finished", tessera_event_destroy,
            [this](auto** made, Error error) { return tessera_run_finished(made, run_, error); }),
      makes("multiply", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_multiply(c_, a_, b_, nullptr, made, error);
            }),
      makes("multiply_batched", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_multiply_batched(&batch_of_c_, &batch_of_a_, &batch_of_b_, nullptr,
                                              made, error);
            }),
      makes("matrix_vector", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_matrix_vector(sums_, a_, column_, nullptr, made, error);
            }),
      makes("row_sums", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_row_sums(sums_, a_, nullptr, made, error);
            }),
      makes("add", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_add(c_, a_, b_, nullptr, made, error);
            }),
      makes("fill", tessera_run_destroy,
            [this](auto** made, Error error) { return tessera_fill(c_, 1, made, error); }),
      makes("plan_multiply", tessera_plan_destroy,
            [this](auto** made, Error error) {
              return tessera_plan_multiply(made, c_, a_, b_, nullptr, error);
            }),
      makes("plan_multiply_batched", tessera_plan_destroy,
            [this](auto** made, Error error) {
              return tessera_plan_multiply_batched(made, &batch_of_c_, &batch_of_a_, &batch_of_b_,
                                                   nullptr, error);
            }),
      makes("plan_matrix_vector", tessera_plan_destroy,
            [this](auto** made, Error error) {
              return tessera_plan_matrix_vector(made, sums_, a_, column_, nullptr, error);
            }),
      makes("plan_run", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_plan_run(plan_, c_, a_, b_, nullptr, made, error);
            }),
      makes("plan_run_batched", tessera_run_destroy,
            [this](auto** made, Error error) {
              return tessera_plan_run_batched(plan_, &batch_of_c_, &batch_of_a_, &batch_of_b_,
                                              nullptr, made, error);
            }),
      makes("multiply_host", tessera_host_report_destroy,
            [this](auto** made, Error error) {
              tessera_host_options options = TESSERA_HOST_OPTIONS_INIT;
              options.devices = &engine_;
              options.device_count = 1;
              return tessera_multiply_host(&of_host_c, &of_host, &of_host, &options, made, error);
            }),
      makes("eigenpair_solve", tessera_eigenpair_destroy,
            [this](auto** made, Error error) {
              return tessera_eigenpair_solve(made, a_, nullptr, error);
            }),
      makes("eigenpair_vector", tessera_matrix_destroy,
            [this](auto** made, Error error) {
              return tessera_eigenpair_vector(made, pair_, error);
            }),
      makes("cancel_create", tessera_cancel_destroy,
            [](auto** made, Error error) { return tessera_cancel_create(made, error); }),
      only("log_set",
           [](Error error) {
             return tessera_log_set(TESSERA_LOG_WARNING, nullptr, nullptr, error);
           }),
      makes("profile_create", tessera_profile_destroy,
            [this](auto** made, Error error) {
              return tessera_profile_create(made, engine_, "no/such/file.jsonl", error);
            }),
      only("check", [this, problem](Error error) {
        return tessera_check(engine_, problem, "naive", 1, nullptr, error);
      })};
}

}  // namespace tessera::test
