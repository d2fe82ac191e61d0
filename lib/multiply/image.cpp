// The image variant: copies the operands into images, then multiplies.
#include <fmt/format.h>

#include <algorithm>

#include "multiply/enqueue.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::multiplication {
namespace {

/// An operand stored as an image: rows and columns in elements, width and height in pixels.
struct ImageOf {
  cl_ulong rows, columns;
  cl_uint width, height;
};

ImageOf image_of(const kernels::Plan& plan, const DeviceInfo& device, std::size_t rows,
                 std::size_t columns, std::size_t pixel, std::size_t height) {
  const std::size_t width = std::max<std::size_t>(divide_up(columns, pixel), 1);
  if (width > device.max_image_width || height > device.max_image_height) {
    throw UnsupportedError(
        plan.variant->full_name(),
        fmt::format("an operand of {} x {} elements needs an image of {} x {} pixels; {} allows "
                    "{} x {}",
                    rows, columns, width, height, device.name, device.max_image_width,
                    device.max_image_height));
  }
  return {rows, columns, static_cast<cl_uint>(width), static_cast<cl_uint>(height)};
}

}  // namespace

void enqueue_image(const kernels::Plan& plan, const Call& call, runtime::Submission& submission) {
  const Shape& shape = call.shape;
  const bool is_double = call.types().a == ElementType::float64;
  const std::size_t pixel = is_double ? 2 : 4;
  const auto& device = submission.stream().context().device().info;
  const ImageOf a = image_of(plan, device, shape.m, shape.k, pixel, shape.m);
  const ImageOf b =
      image_of(plan, device, shape.k, shape.n, pixel, std::max(round_up(shape.k, pixel), pixel));

  const bool in_words = is_double || call.types().a == ElementType::int32;
  const cl::ImageFormat format(CL_RGBA, in_words ? CL_UNSIGNED_INT32 : CL_FLOAT);
  const auto group = plan.group;
  const auto cover = [&](std::size_t columns, std::size_t rows) {
    return runtime::Grid{{divide_up(columns, group[0]), divide_up(rows, group[1])}, group};
  };
  const auto a_image =
      submission.scratch_image(format, a.width, a.height, plan.variant->full_name());
  const auto b_image =
      submission.scratch_image(format, b.width, b.height, plan.variant->full_name());
  auto& pack = plan.kernel("_pack");
  // One product at a time: an image holds a single operand.
  for_each_product(call, [&](const Call& one) {
    if (shape.k > 0) {
      submission.launch(pack, cover(a.width, a.height), a.rows, a.columns, a.width, a.height,
                        one.a.buffer(), one.a.at, a_image);
      submission.launch(pack, cover(b.width, b.height), b.rows, b.columns, b.width, b.height,
                        one.b.buffer(), one.b.at, b_image);
    }
    submission.launch(plan.kernel(), cover(b.width, shape.m), shape, call.alpha, call.beta, a_image,
                      b_image, one.c.buffer(), one.c.at);
  });
}

}  // namespace tessera::inline v0::multiplication
