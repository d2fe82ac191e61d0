// The intel_subgroup_block variant: packs the operands into blocks of words, then multiplies.
#include <algorithm>

#include "multiply/enqueue.hpp"

namespace tessera::inline v0::multiplication {

void enqueue_intel_subgroup_block(const kernels::Plan& plan, const Call& call,
                                  runtime::Submission& submission) {
  const Shape& shape = call.shape;
  const std::size_t batch = call.batch();
  const std::size_t lanes = plan.size("SUBGROUP_SIZE"), sub_groups = plan.size("SUB_GROUPS");
  const std::size_t rows = round_up(shape.m, plan.size("MR") * sub_groups);
  const std::size_t columns = round_up(shape.n, lanes * plan.size("NR"));
  const std::size_t depth = round_up(std::max<std::size_t>(shape.k, 1), lanes);
  const std::size_t word_size = std::max<std::size_t>(call.number_size(), sizeof(cl_uint));
  const auto a_packed =
      submission.scratch(batch * rows * depth * word_size, plan.variant->full_name());
  const auto b_packed =
      submission.scratch(batch * depth * columns * word_size, plan.variant->full_name());
  if (shape.k > 0) {
    submission.launch(plan.kernel("_pack_a"), {{depth / lanes, rows, batch}, {lanes, 1}}, shape,
                      call.a.buffer(), call.a.at, a_packed);
    submission.launch(plan.kernel("_pack_b"), {{columns / lanes, depth, batch}, {lanes, 1}}, shape,
                      call.b.buffer(), call.b.at, b_packed);
  }
  submission.launch(
      plan.kernel(),
      {{columns / (lanes * plan.size("NR")), rows / (plan.size("MR") * sub_groups), batch},
       {lanes, sub_groups}},
      shape, call.alpha, call.beta, a_packed, b_packed, call.c.buffer(), call.c.at);
}

}  // namespace tessera::inline v0::multiplication
