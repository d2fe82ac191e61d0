// The variants of matrix_vector: rows divided among work-items or work-groups, and k split into
// parts if there are few rows.
#include "multiply/vector_variants.hpp"

#include <algorithm>
#include <bit>

#include "kernels/prefetch.hpp"
#include "multiply/cpu/vector_registers.hpp"
#include "multiply/enqueue.hpp"
#include "multiply/product_types.hpp"
#include "operands/element.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using kernels::Plan;
using kernels::Rule;
using kernels::size;
using kernels::Target;
using kernels::WorkGroup;
using runtime::Submission;

/// Number of work-groups along the rows of the matrix, and of parts of k.
struct Shares {
  std::size_t groups, parts;
};

/// The values of a vector of `VECTOR` numbers.
std::size_t values_of(const Plan& plan, const Call& call) {
  return plan.size("VECTOR") / operands::parts_of(call.types().a);
}

/// Returns whether rows are contiguous; else columns are.
bool is_by_rows(const Call& call) {
  return call.a.at.column == 1 && (call.a.at.row != 1 || call.shape.m == 1);
}

/// `wanted` limited to `maximum`, but at least 1.
std::size_t parts_of(std::size_t wanted, std::size_t maximum) {
  return std::max<std::size_t>(1, std::min(wanted, maximum));
}

/// The vector x, with contiguous elements if the kernel reads A by rows.
struct Vector {
  cl::Buffer buffer;
  Layout at;
};

Vector x_of(const Plan& plan, const Call& call, Submission& submission) {
  if (!is_by_rows(call) || call.b.at.row == 1 || call.shape.k <= 1)
    return {call.b.buffer(), call.b.at};
  const std::size_t k = call.shape.k;
  Vector packed{submission.scratch(k * call.element_size(), "matrix_vector: x"), {0, 1, 1}};
  constexpr std::size_t kMaxItems = std::size_t{1} << 16;
  runtime::Kernel& pack = plan.program->kernel("matrix_vector_pack");
  submission.launch(pack, operands::cover(std::min(k, kMaxItems), pack), cl_ulong{k},
                    call.b.buffer(), call.b.at, packed.buffer);
  return packed;
}

/// Launches the plan's kernel for the matrix's layout over `shares`, then adds up the parts with
/// work-groups of `adding` work-items for `rows` rows each; `extra` arguments follow the operands.
template <class... Extra>
void enqueue_shares(const Plan& plan, const Call& call, Submission& submission,
                    const Shares& shares, std::size_t adding, std::size_t rows,
                    const Extra&... extra) {
  const Vector x = x_of(plan, call, submission);
  // Must match cl/common/parts.cl. Some kernels use the scratch memory even with a single part.
  const std::size_t part_values = round_up(call.shape.m, 16);
  const auto scratch = submission.scratch(shares.parts * part_values * call.number_size(),
                                          plan.variant->full_name());
  submission.launch(plan.kernel(is_by_rows(call) ? "" : "_by_columns"),
                    {{shares.groups, shares.parts}, plan.group}, call.shape, call.alpha, call.beta,
                    call.a.buffer(), call.a.at, x.buffer, x.at, call.c.buffer(), call.c.at, scratch,
                    extra...);
  if (shares.parts == 1) return;
  submission.launch(plan.program->kernel("matrix_vector_add_parts"),
                    {{divide_up(call.shape.m, rows), 1}, {adding, 1}}, cl_ulong{call.shape.m},
                    cl_ulong{shares.parts}, call.alpha, call.beta, scratch, call.c.buffer(),
                    call.c.at, static_cast<cl_uint>(rows));
}

std::size_t compute_units(const Submission& submission) {
  return submission.stream().context().device().info.compute_units;
}

constexpr std::size_t kAddingItems = 16;  // work-group size with which per_item adds parts

void enqueue_per_item(const Plan& plan, const Call& call, Submission& submission) {
  const auto [m, n, k] = call.shape;
  const std::size_t element = call.element_size();
  const std::size_t items = compute_units(submission) * plan.size("ITEMS_PER_CU");
  // Bytes: shorter runs along a column cost more than the added parallelism saves.
  constexpr std::size_t kRun = std::size_t{16} << 10;
  const std::size_t useful = !is_by_rows(call)           ? m * element / kRun
                             : k < values_of(plan, call) ? m
                                                         : divide_up(m, plan.size("MR"));
  const std::size_t groups = std::clamp<std::size_t>(useful, 1, items);
  // Bytes of A per part that are worth a second launch.
  constexpr std::size_t kPart = std::size_t{256} << 10;
  const std::size_t worth = m * k * element / groups / kPart;
  enqueue_shares(plan, call, submission, {groups, parts_of(items / groups, std::min(worth, k))},
                 kAddingItems, kAddingItems);
}

void enqueue_per_group(const Plan& plan, const Call& call, Submission& submission) {
  const auto [m, n, k] = call.shape;
  const std::size_t group = plan.size("LOCAL_SIZE"), vector = values_of(plan, call),
                    unroll = plan.size("UNROLL");
  // Work-items per compute unit that hide latency. By columns half as many are enough; k is split,
  // which takes a second launch, only while the total stays within that number.
  constexpr std::size_t kAlongRows = 2048, kAlongColumns = 1024;
  const auto wanted = [&](std::size_t resident) {
    return compute_units(submission) * resident / group;
  };
  const auto powers = [](std::size_t number) {
    return std::bit_ceil(std::max(number, std::size_t{1}));
  };
  // length: the smallest part of k worth having.
  std::size_t rows = 0, groups = 0, length = 0, parts = 0;
  if (is_by_rows(call)) {
    const std::size_t lanes = std::min(group, powers(divide_up(k, vector * unroll)));
    rows = group / lanes;
    groups = divide_up(m, rows * plan.size("MR"));
    length = lanes * vector * unroll;
    parts = divide_up(wanted(kAlongRows), groups);
  } else {
    // Runs of eight vectors along a column are whole cache lines.
    const std::size_t lanes = std::min(group / 8, powers(divide_up(k, unroll)));
    rows = std::min(group / lanes, powers(divide_up(m, vector)));
    groups = divide_up(m, rows * vector);
    length = group / rows * unroll;
    parts = wanted(kAlongColumns) / groups;
  }
  parts = parts_of(parts, k / length);
  enqueue_shares(plan, call, submission, {groups, parts}, group,
                 std::max<std::size_t>(1, group / powers(divide_up(parts, 4))),
                 static_cast<cl_uint>(rows));
}

Parameters preferred_per_item(const Target& target) {
  const int prefetch = has_16_bits(target.types.a) ? 1024 : 512;
  return {{"MR", 4},
          {"MC", 4096},
          {"VECTOR", vector_size(target)},
          {"UNROLL", 8},
          {"PREFETCH", kernels::can_prefetch(target) ? prefetch : 0},
          {"ITEMS_PER_CU", 4}};
}

/// complex128: Intel's compiler 22.43 for Xe-HPC crashes if several values are loaded at once.
Parameters preferred_per_group(const Target& target) {
  if (target.types.a == ElementType::complex128)
    return {{"MR", 2}, {"VECTOR", 2}, {"UNROLL", 4}, {"LOCAL_SIZE", 128}};
  const int vector =
      std::min(8, static_cast<int>(32 / element_size(operands::part_type(target.types.a))));
  return {{"MR", 2}, {"VECTOR", vector}, {"UNROLL", 2}, {"LOCAL_SIZE", 128}};
}

kernels::Row<Call> per_item() {
  return {
      .kernel = {.name = "per_item",
                 .summary = "for CPUs: a share of the rows for each work-item, by vectors",
                 .parameters =
                     {{"MR", "rows at a time, of a matrix by rows", {2, 4, 8}},
                      {"MC", "rows at a time, of one by columns", {2048, 4096, 8192}},
                      {"VECTOR", "numbers of a vector", {4, 8, 16}},
                      {"UNROLL", "columns at a time, of one by columns", {4, 8}},
                      {"PREFETCH", "prefetch distance in elements; 0: none", {0, 256, 512, 1024}},
                      {"ITEMS_PER_CU", "work-items for each compute unit", {1, 2, 4}, true}},
                 .preferred = preferred_per_item,
                 .rules = {kernels::prefetch_rule()},
                 .options =
                     [](const Parameters&, const Target&) {
                       return " -D LOCAL_SIZE=" + std::to_string(kAddingItems);
                     },
                 .for_cpus = true},
      .enqueue = enqueue_per_item};
}

kernels::Row<Call> per_group() {
  return {.kernel = {.name = "per_group",
                     .summary = "for GPUs: the work-items of a work-group side by side along rows "
                                "or columns",
                     .parameters = {{"MR", "rows of a work-item, of a matrix by rows", {1, 2, 4}},
                                    {"VECTOR", "numbers that are loaded at once", {2, 4, 8}},
                                    {"UNROLL", "loads in flight, or columns", {2, 4, 8}},
                                    {"LOCAL_SIZE", "work-items of a work-group", {128, 256, 512}}},
                     .preferred = preferred_per_group,
                     .work_group =
                         [](const Parameters& p) {
                           return WorkGroup{size(p, "LOCAL_SIZE"), 1};
                         },
                     .local_bytes =
                         [](const Parameters& p, const Target& target) {
                           const std::size_t values =
                               size(p, "VECTOR") / operands::parts_of(target.types.a);
                           return std::max(size(p, "MR"), values) * size(p, "LOCAL_SIZE") *
                                  element_size(target.types.sum);
                         }},
          .enqueue = enqueue_per_group};
}

}  // namespace

std::vector<kernels::Row<Call>> matrix_vector_variants() { return {per_item(), per_group()}; }

}  // namespace tessera::inline v0::multiplication
