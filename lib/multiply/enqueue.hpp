// Ways to enqueue a product: by blocks of C, in slices, by images, by packed words.
#pragma once

#include <cstddef>

#include "kernels/plan.hpp"
#include "multiply/call.hpp"
#include "operands/grid.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// Elements of C that a work-group computes.
struct BlockOfC {
  std::size_t rows, columns;
};

/// The plan's kernel with one work-group for each block of C; `extra` arguments come after the
/// operands.
template <class... Extra>
void enqueue_blocks(const kernels::Plan& plan, const Call& call, runtime::Submission& submission,
                    const BlockOfC& block, const Extra&... extra);

/// cl/multiply/image.cl: copies the operands into images, then multiplies.
void enqueue_image(const kernels::Plan& plan, const Call& call, runtime::Submission& submission);

/// cl/multiply/intel_subgroup_block.cl: packs the operands into blocks of words, then multiplies.
void enqueue_intel_subgroup_block(const kernels::Plan& plan, const Call& call,
                                  runtime::Submission& submission);

using operands::divide_up;
using operands::round_up;

/// Splits a call into slices whose work-groups in dimensions 1 and 2 stay within every device's
/// limit, and calls `launch(slice)` for each; a block has `rows` rows of C.
template <class Launch>
void enqueue_slices(const Call& call, std::size_t rows, Launch&& launch) {
  Call slice = call;
  for (std::size_t product = 0; product < call.batch(); product += operands::kMaxGroups) {
    slice.problem.batch = std::min(call.batch() - product, operands::kMaxGroups);
    for (std::size_t row = 0; row < call.shape.m; row += operands::kMaxGroups * rows) {
      slice.shape.m = std::min(call.shape.m - row, operands::kMaxGroups * rows);
      slice.a.at.offset = call.a.at.offset + product * call.a.at.batch + row * call.a.at.row;
      slice.b.at.offset = call.b.at.offset + product * call.b.at.batch;
      slice.c.at.offset = call.c.at.offset + product * call.c.at.batch + row * call.c.at.row;
      launch(slice);
    }
  }
}

/// Calls `launch(product)` for each product of a call: for variants that pack one product at a
/// time.
template <class Launch>
void for_each_product(const Call& call, Launch&& launch) {
  Call one = call;
  one.problem.batch = 1;
  for (std::size_t product = 0; product < call.batch(); product++) {
    launch(one);
    for (operands::Operand* operand : {&one.a, &one.b, &one.c})
      operand->at.offset += operand->at.batch;
  }
}

template <class... Extra>
void enqueue_blocks(const kernels::Plan& plan, const Call& call, runtime::Submission& submission,
                    const BlockOfC& block, const Extra&... extra) {
  const auto group = plan.group;
  enqueue_slices(call, block.rows, [&](const Call& slice) {
    submission.launch(plan.kernel(),
                      {{divide_up(slice.shape.n, block.columns),
                        divide_up(slice.shape.m, block.rows), slice.batch()},
                       group},
                      slice.shape, slice.alpha, slice.beta, slice.a.buffer(), slice.a.at,
                      slice.b.buffer(), slice.b.at, slice.c.buffer(), slice.c.at, extra...);
  });
}

}  // namespace tessera::inline v0::multiplication
