// From a vector's ratios, a round's or a pass's, to a certificate.
#include "eigen/proof.hpp"

#include <limits>
#include <type_traits>
#include <utility>

#include "eigen/implicit_round.hpp"
#include "eigen/neutral_state.hpp"

namespace tessera::inline v0::eigen {
namespace {

// Sums of n positive terms in any order, the products' rounding, a division and the final one.
double plain_error(std::size_t n) { return (static_cast<double>(n) + 8) * 0x1p-53; }

/// Of sums with what they lost: cl/common/wide.cl. Two floats lose at each addition.
template <class Component>
double compensated_error(std::size_t size) {
  const double n = static_cast<double>(size);
  return std::is_same_v<Component, double> ? (4 + n * n * 0x1p-53) * 0x1p-53 : (n + 8) * 0x1p-44;
}

bool has_float_denormals(const runtime::Device& device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device.handle(), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_DENORM) != 0;
}

}  // namespace

template <class Component>
Proof<Component>::Proof(runtime::Stream& stream, ElementType type, std::size_t n,
                        const kernels::Plan& round, double tolerance)
    : type_(type), n_(n) {
  const bool in_double = round.parameters.at("ACCUMULATOR") != 0;
  const bool plain = in_double && plain_error(n) * 64 < tolerance;
  const bool floats_end = !has_float_denormals(stream.context().device());  // at normal numbers
  const double minimum =
      floats_end ? std::numeric_limits<float>::min() : std::numeric_limits<float>::denorm_min();
  precision_ = {.relative = plain ? plain_error(n) : compensated_error<Component>(n),
                .smallest = in_double ? std::numeric_limits<double>::denorm_min() : minimum,
                .floor = type == ElementType::float32 && floats_end
                             ? double{std::numeric_limits<float>::min()}
                             : 0};
  pass_ = variation(stream, type, round, {{"ACCUMULATOR", !in_double ? 0 : plain ? 1 : 2}});
  needs_no_pass_ = plain || !in_double || round.parameters.at("ACCUMULATOR") == 2;
}

template <class Component>
void Proof<Component>::pass(runtime::Submission& submission, const MatrixArgument& a,
                            const cl::Buffer& p, const cl::Buffer& q,
                            const cl::Buffer& ratios) const {
  const Stage stage{type_, n_, &neutral_state<Component>(submission.stream())};
  implicit_round_table().enqueue(*pass_, {stage, a, &p, &q, &ratios}, submission);
}

template <class Component>
void Proof<Component>::enqueue_read(runtime::Submission& submission, const cl::Buffer& from,
                                    std::vector<Component>& to, cl_bool waits) const {
  to.resize(n_ * kComponents<Component>);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(from, waits, 0, to.size() * sizeof(Component), to.data(), nullptr,
                                event);
      },
      "reading an eigenvector");
}

template <class Component>
Evidence Proof<Component>::read(runtime::Submission& submission, const cl::Buffer& p,
                                const cl::Buffer& ratios, HostBuffers<Component>& host) const {
  enqueue_read(submission, p, host.vector, CL_FALSE);
  enqueue_read(submission, ratios, host.ratios, CL_TRUE);  // and the other: the queue is in order
  return {doubles_of(std::move(host.vector)), doubles_of(std::move(host.ratios))};
}

template class Proof<float>;
template class Proof<double>;

}  // namespace tessera::inline v0::eigen
