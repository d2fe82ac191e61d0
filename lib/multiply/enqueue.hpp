// Ways to enqueue a product: by blocks of C, by packed panels, by images.
#pragma once

#include <cstddef>

#include "kernels/plan.hpp"
#include "multiply/problem.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// Elements of C that a work-group computes.
struct BlockOfC {
  std::size_t rows, columns;
};

/// The plan's kernel with one work-group for each block of C; `extra` arguments come after the
/// operands.
template <class... Extra>
void enqueue_blocks(const kernels::Plan& plan, const Problem& problem,
                    runtime::Submission& submission, const BlockOfC& block, const Extra&... extra);

/// cl/multiply/image.cl: operands into images, then the product.
void enqueue_image(const kernels::Plan& plan, const Problem& problem,
                   runtime::Submission& submission);

/// cl/multiply/intel_subgroup_block.cl: operands into blocks of words, then the product.
void enqueue_intel_subgroup_block(const kernels::Plan& plan, const Problem& problem,
                                  runtime::Submission& submission);

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }
constexpr std::size_t round_up(std::size_t a, std::size_t b) { return divide_up(a, b) * b; }

template <class... Extra>
void enqueue_blocks(const kernels::Plan& plan, const Problem& problem,
                    runtime::Submission& submission, const BlockOfC& block, const Extra&... extra) {
  // Devices allow 65535 work-groups in dimension 1 at the least: a taller C comes in slices.
  constexpr std::size_t kMaxGroups = 65535;
  const auto group = plan.variant->work_group(plan.parameters);
  Problem slice = problem;
  for (std::size_t row = 0; row < problem.shape.m; row += kMaxGroups * block.rows) {
    slice.shape.m = std::min(problem.shape.m - row, kMaxGroups * block.rows);
    slice.a.at.offset = problem.a.at.offset + row * problem.a.at.row;
    slice.c.at.offset = problem.c.at.offset + row * problem.c.at.row;
    submission.launch(
        plan.kernel(),
        {{divide_up(slice.shape.n, block.columns), divide_up(slice.shape.m, block.rows)}, group},
        slice.shape, slice.alpha, slice.beta, slice.a.buffer(), slice.a.at, slice.b.buffer(),
        slice.b.at, slice.c.buffer(), slice.c.at, extra...);
  }
}

}  // namespace tessera::inline v0::multiplication
