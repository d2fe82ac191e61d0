// A model of the time that a product takes on a GPU. On other GPUs than an H200 the ratios decide,
// which follow from shapes more than from the device.
#include "multiply/gpu/choice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "multiply/gpu/candidate.hpp"
#include "multiply/gpu/sliced_k_time.hpp"
#include "multiply/nvidia/mapped_time.hpp"
#include "multiply/nvidia/sliced_time.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;

/// int8 on any GPU, a batch in one launch: what an H200 does, tile after tile.
Candidate by_register_tiles(const Problem& problem, std::size_t units) {
  constexpr std::size_t kTile = 128;
  constexpr double kRate = 75e3;
  const std::size_t tiles =
      problem.batch * divide_up(problem.m, kTile) * divide_up(problem.n, kTile);
  return {"register_tiled",
          kCall + real(divide_up(tiles, units) * problem.k) * real(kTile * kTile) / kRate};
}

/// True for products that Adreno should read as images, which go through its texture cache; buffers
/// do not (Qualcomm, "Snapdragon OpenCL General Programming and Optimization", "Use of images
/// instead of buffers"). Not measured.
bool suits_images(const DeviceCapabilities& device, const Problem& problem) {
  const std::size_t largest = std::min(device.max_image_width, device.max_image_height);
  return device.vendor.find("QUALCOMM") != std::string::npos && device.has_images &&
         problem.types.a != ElementType::int8 && problem.batch == 1 &&
         std::max({problem.m, problem.n, problem.k}) <= largest;
}

/// The kernels that run on any GPU, fast ones first. They are tried if the candidates do not build.
std::span<const std::string_view> fallbacks(bool can_slice) {
  static constexpr std::array<std::string_view, 3> kAll = {"sliced_k", "register_tiled", "naive"};
  const std::span<const std::string_view> all = kAll;
  return can_slice ? all : all.subspan(1);
}

}  // namespace

Problem in_parts(Problem problem) {
  problem.types = operands::part_type(problem.types.a);
  problem.n *= 2;
  problem.k *= 2;
  problem.op_a = problem.op_b = Op::none;
  problem.leading_dimensions = {};
  return problem;
}

std::optional<kernels::Preferred> complex_kernel(const DeviceCapabilities& device,
                                                 const Problem& problem) {
  const bool is_complex64 = problem.types.a == ElementType::complex64,
             is_bounded = problem.mode.accuracy == Accuracy::bounded;
  if (!is_complex(problem.types.a) || device.async_copy_memory == 0) return std::nullopt;
  if (!is_complex64 && !is_bounded) return std::nullopt;
  const kernels::Preferred real_form = gpu_preference(device, in_parts(problem)).front();
  if (is_complex64) {
    // These kernels read complex elements too, and need no copies for a real form.
    constexpr std::array<std::string_view, 3> kReadComplex = {"tensor_core_hopper", "mma_halves",
                                                              "bulk_copy"};
    const bool reads_complex =
        std::ranges::find(kReadComplex, real_form.variant) != kReadComplex.end();
    return reads_complex ? std::optional(real_form) : std::nullopt;
  }
  const Candidate residues =
      device.has_wgmma ? by_tensor_maps(device, problem) : by_warp_products(device, problem);
  const bool is_faster = 1e-6 * residues.microseconds <
                         real_form.seconds.value_or(std::numeric_limits<double>::infinity());
  return is_faster ? std::optional<kernels::Preferred>(residues.variant) : std::nullopt;
}

kernels::Preference gpu_preference(const DeviceCapabilities& device, const Problem& problem) {
  constexpr std::size_t kMaxExtent = std::size_t{1} << 31;
  const std::size_t units = compute_units(device);
  std::vector<Candidate> candidates;
  candidates.reserve(4);
  const auto consider = [&](const Candidate& candidate) {
    if (candidate.microseconds < std::numeric_limits<double>::infinity())
      candidates.push_back(candidate);
  };
  const bool is_usual = std::max({problem.m, problem.n, problem.k}) < kMaxExtent,
             is_sliced = problem.types.a != ElementType::int8;
  if (is_usual && is_sliced) consider(by_sliced_k(device, problem));
  if (is_usual && has_16_bits(problem.types.a) && device.async_copy_memory > 0)
    consider(by_tensor_core(device, problem));
  if (is_usual && problem.types.a == ElementType::float64 && device.async_copy_memory > 0)
    consider(by_sliced_k_double(device, problem));
  if (!is_sliced) consider(by_register_tiles(problem, units));
  if (is_usual) consider(by_tensor_maps(device, problem));
  if (is_usual) consider(by_warp_products(device, problem));
  std::ranges::sort(candidates, {}, &Candidate::microseconds);
  kernels::Preference preference;
  preference.reserve(8);
  if (suits_images(device, problem)) preference.emplace_back("image");
  for (const Candidate& candidate : candidates) {
    Parameters parameters;
    for (const auto& [name, value] : candidate.parameters) {
      if (name != nullptr) parameters.emplace(name, value);
    }
    preference.emplace_back(candidate.variant, std::move(parameters),
                            1e-6 * candidate.microseconds);
  }
  for (const std::string_view other : fallbacks(is_usual && is_sliced && !candidates.empty())) {
    if (std::ranges::find(candidates, other, &Candidate::variant) == candidates.end())
      preference.emplace_back(other);
  }
  return preference;
}

}  // namespace tessera::inline v0::multiplication
