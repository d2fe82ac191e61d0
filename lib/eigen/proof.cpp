// A round whose sums are compensated, and its ratios on the host.
#include "eigen/proof.hpp"

#include <type_traits>

#include "eigen/idle_state.hpp"
#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Part>
std::vector<double> widened(const std::vector<Part>& parts, std::size_t n) {
  std::vector<double> values(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t i = n; i < parts.size(); i++) values[i - n] += static_cast<double>(parts[i]);
  return values;
}

SharedPlan exact_pass(runtime::Stream& stream, ElementType type, const kernels::Plan& round) {
  auto parameters = round.parameters;
  parameters["WIDE"] = parameters.at("WIDE") == 0 ? 0 : 2;
  return kernels::plan(stream, implicit_round_table().operation(), type,
                       {round.variant->name, parameters});
}

}  // namespace

template <class Part>
Proof<Part>::Proof(runtime::Stream& stream, ElementType type, std::size_t n,
                   const kernels::Plan& round)
    : type_(type), n_(n), pass_(exact_pass(stream, type, round)) {}

template <class Part>
Certificate Proof<Part>::run(runtime::Submission& submission, const MatrixArgument& a,
                             const cl::Buffer& p, const cl::Buffer& q, const cl::Buffer& ratios,
                             Landing<Part>& landing) const {
  const Stage stage{type_, n_, &idle_state<Part>(submission.stream())};
  implicit_round_table().enqueue(*pass_, {stage, a, &p, &q, &ratios}, submission);
  // Both reads end with the second: the queue is in order.
  const auto read = [&](const cl::Buffer& from, std::vector<Part>& to, cl_bool waits) {
    to.resize(n_ * kParts<Part>);
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(from, waits, 0, to.size() * sizeof(Part), to.data(), nullptr,
                                  event);
        },
        "reading an eigenvector");
  };
  read(p, landing.vector, CL_FALSE);
  read(ratios, landing.ratios, CL_TRUE);
  return certify(widened(landing.vector, n_), widened(landing.ratios, n_),
                 precision(submission.stream().context().device()));
}

template <class Part>
Precision Proof<Part>::precision(const runtime::Device& device) const {
  // Of sums in double, with what they lost: common/wide.cl. Two floats lose at each addition.
  const double n = static_cast<double>(n_);
  const double relative =
      std::is_same_v<Part, double> ? (4 + n * n * 0x1p-53) * 0x1p-53 : (n + 8) * 0x1p-44;
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device.handle(), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  const bool sees_all = type_ == ElementType::float64 || (config & CL_FP_DENORM) != 0;
  return {.relative = relative, .floor = sees_all ? 0 : 0x1p-126};
}

template class Proof<float>;
template class Proof<double>;

}  // namespace tessera::inline v0::eigen
