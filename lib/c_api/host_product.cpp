// Products of host memory in C.
#include <complex>
#include <string>
#include <vector>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace detail = tessera::detail;

struct tessera_host_report {
  tessera::HostProductReport report = {};
  void set(tessera::HostProductReport made) { report = std::move(made); }
};

namespace {

detail::HostOperand operand_of(const tessera_host_matrix* matrix, const char* name) {
  need(matrix, name);
  need_zero(matrix->reserved);
  if (matrix->rows > 0 && matrix->columns > 0) need(matrix->data, name);
  return {static_cast<std::byte*>(matrix->data),
          matrix->rows,
          matrix->columns,
          matrix->leading_dimension,
          type_of(matrix->type),
          composed(type_of(matrix->type), tessera::Op::none,
                   enumerator("op", matrix->op, tessera::Op::conjugate)),
          matrix->pinned != 0};
}

std::vector<tessera::Engine> devices_of(const tessera_host_options& options) {
  if ((options.devices == nullptr) != (options.device_count == 0)) {
    throw tessera::ArgumentError(tessera::ErrorCode::conflicting_options,
                                 "multiply_host: devices and device_count do not fit together");
  }
  std::vector<tessera::Engine> devices;
  for (std::size_t i = 0; i < options.device_count; i++) devices.push_back(get(options.devices[i]));
  return devices;
}

tessera::HostProductOptions host_options_of(const tessera_host_options* given) {
  const auto options = read<tessera_host_options>(given, TESSERA_HOST_OPTIONS_INIT);
  need_zero(options.reserved);
  tessera::HostProductOptions made{.alpha = std::complex(options.alpha, options.alpha_imaginary),
                                   .beta = std::complex(options.beta, options.beta_imaginary),
                                   .accuracy = accuracy_of(options.accuracy),
                                   .devices = devices_of(options),
                                   .device_memory = options.device_memory,
                                   .cancel = token_of(options.cancel)};
  if (options.progress != nullptr) {
    made.progress = [progress = options.progress,
                     user = options.user](const tessera::HostProductProgress& done) {
      const tessera_host_state state{done.tiles_done, done.tiles};
      if (progress(&state, user) != 0)
        throw tessera::CancelledError("multiply_host: progress() ended the product");
    };
  }
  return made;
}

const tessera::HostProductDevice* device_of(const tessera_host_report* report, std::size_t index) {
  return report != nullptr && index < report->report.devices.size() ? &report->report.devices[index]
                                                                    : nullptr;
}

}  // namespace

tessera_status tessera_multiply_host(const tessera_host_matrix* c, const tessera_host_matrix* a,
                                     const tessera_host_matrix* b,
                                     const tessera_host_options* options,
                                     tessera_host_report** report, tessera_error** error) {
  return enqueue(report, error, [&] {
    return detail::multiply_host(operand_of(c, "c"), operand_of(a, "a"), operand_of(b, "b"),
                                 host_options_of(options));
  });
}

double tessera_host_report_seconds(const tessera_host_report* report) {
  return report != nullptr ? report->report.seconds : 0;
}
std::size_t tessera_host_report_count(const tessera_host_report* report) {
  return report != nullptr ? report->report.devices.size() : 0;
}
const char* tessera_host_report_device(const tessera_host_report* report, std::size_t index) {
  const auto* const device = device_of(report, index);
  return device != nullptr ? device->engine.device().name.c_str() : nullptr;
}
std::size_t tessera_host_report_tiles(const tessera_host_report* report, std::size_t index) {
  const auto* const device = device_of(report, index);
  return device != nullptr ? device->tiles : 0;
}
std::uint64_t tessera_host_report_bytes_in(const tessera_host_report* report, std::size_t index) {
  const auto* const device = device_of(report, index);
  return device != nullptr ? device->bytes_in : 0;
}
std::uint64_t tessera_host_report_bytes_out(const tessera_host_report* report, std::size_t index) {
  const auto* const device = device_of(report, index);
  return device != nullptr ? device->bytes_out : 0;
}
const char* tessera_host_report_failure(const tessera_host_report* report, std::size_t index) {
  const auto* const device = device_of(report, index);
  return device != nullptr ? device->failure.c_str() : nullptr;
}
void tessera_host_report_destroy(tessera_host_report* report) { destroy(report); }
