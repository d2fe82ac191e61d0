// From a vector's ratios, a round's or a pass's, to a certificate.
#include "eigen/proof.hpp"

#include <limits>
#include <type_traits>
#include <utility>

#include "eigen/idle_state.hpp"
#include "eigen/implicit_round.hpp"

namespace tessera::inline v0::eigen {
namespace {

// Sums of n positive terms in any order, the products' rounding, a division and the final one.
double plain_error(std::size_t n) { return (static_cast<double>(n) + 8) * 0x1p-53; }

/// Of sums with what they lost: cl/common/wide.cl. Two floats lose at each addition.
template <class Part>
double compensated_error(std::size_t size) {
  const double n = static_cast<double>(size);
  return std::is_same_v<Part, double> ? (4 + n * n * 0x1p-53) * 0x1p-53 : (n + 8) * 0x1p-44;
}

bool has_float_denormals(const runtime::Device& device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device.handle(), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_DENORM) != 0;
}

}  // namespace

template <class Part>
Proof<Part>::Proof(runtime::Stream& stream, ElementType type, std::size_t n,
                   const kernels::Plan& round, double tolerance)
    : type_(type), n_(n) {
  const bool in_double = round.parameters.at("WIDE") != 0;
  const bool plain = in_double && plain_error(n) * 64 < tolerance;
  const bool floats_end = !has_float_denormals(stream.context().device());  // at normal numbers
  const double least =
      floats_end ? std::numeric_limits<float>::min() : std::numeric_limits<float>::denorm_min();
  precision_ = {.relative = plain ? plain_error(n) : compensated_error<Part>(n),
                .smallest = in_double ? std::numeric_limits<double>::denorm_min() : least,
                .floor = type == ElementType::float32 && floats_end
                             ? double{std::numeric_limits<float>::min()}
                             : 0};
  pass_ = variation(stream, type, round, {{"WIDE", !in_double ? 0 : plain ? 1 : 2}});
  needs_no_pass_ = plain || !in_double || round.parameters.at("WIDE") == 2;
}

template <class Part>
void Proof<Part>::pass(runtime::Submission& submission, const MatrixArgument& a,
                       const cl::Buffer& p, const cl::Buffer& q, const cl::Buffer& ratios) const {
  const Stage stage{type_, n_, &idle_state<Part>(submission.stream())};
  implicit_round_table().enqueue(*pass_, {stage, a, &p, &q, &ratios}, submission);
}

template <class Part>
void Proof<Part>::read(runtime::Submission& submission, const cl::Buffer& from,
                       std::vector<Part>& to, cl_bool waits) const {
  to.resize(n_ * kParts<Part>);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(from, waits, 0, to.size() * sizeof(Part), to.data(), nullptr,
                                event);
      },
      "reading an eigenvector");
}

template <class Part>
Certificate Proof<Part>::certify(runtime::Submission& submission, const cl::Buffer& p,
                                 const cl::Buffer& ratios, Landing<Part>& landing) const {
  read(submission, p, landing.vector, CL_FALSE);
  read(submission, ratios, landing.ratios, CL_TRUE);  // and the other: the queue is in order
  return eigen::certify(doubles_of(std::move(landing.vector)),
                        doubles_of(std::move(landing.ratios)), precision_);
}

template class Proof<float>;
template class Proof<double>;

}  // namespace tessera::inline v0::eigen
