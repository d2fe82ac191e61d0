// Neighbours of a problem, and the winner compared with the default on them.
#include "tuning/neighbours.hpp"

#include <algorithm>
#include <utility>

#include "operations.hpp"
#include "tuning/finals.hpp"

namespace tessera::inline v0::tuning {
namespace {

/// Extents times factors; odd extents are not multiples of any tile.
Problem scaled(Problem problem, double rows, double columns, double k, bool odd) {
  const auto scale = [odd](std::size_t& extent, double factor) {
    if (extent <= 1) return;
    const auto size = static_cast<std::size_t>(std::max(1.0, static_cast<double>(extent) * factor));
    extent = odd ? size - 1 + size % 2 : size;
  };
  scale(problem.m, rows);
  scale(problem.n, columns);
  scale(problem.k, k);
  return problem;
}

Problem transposed(Problem problem, bool a, bool b) {
  problem.op_a = composed(problem.types.a, problem.op_a, op_if(a));
  problem.op_b = composed(problem.types.b, problem.op_b, op_if(b));
  return problem;
}

}  // namespace

Neighbourhood neighbourhood(const Problem& problem, const DeviceInfo& device, double seconds,
                            const Policy& policy) {
  const auto alike = [&](double factor, bool odd) {
    return scaled(problem, factor, factor, factor, odd);
  };
  Neighbourhood groups = {{alike(0.92, true), alike(1.09, true)},
                          {alike(1.25, false), alike(0.67, true), alike(1.5, true)},
                          {alike(0.5, false), alike(2, false)},
                          {alike(0.25, true), alike(3, true), alike(4, false)}};
  const kernels::Operation& operation = find_operation(problem.operation);
  if (operation.transposes) {
    const auto shaped = [&](double rows, double columns, double k) {
      return scaled(problem, rows, columns, k, true);
    };
    const bool has_b = operation.dimensions == Dimensions::product;
    for (const auto& [a, b] : {std::pair(true, false), {false, true}, {true, true}}) {
      if (has_b || !b) groups[2].push_back(transposed(problem, a, b));
    }
    groups[2].push_back(shaped(0.5, 0.5, 1.9));
    for (const auto& other : {shaped(4, 0.26, 1), shaped(0.26, 4, 1), shaped(1, 1, 0.26)})
      groups[3].push_back(other);
  }
  const double maximum =
      std::min(policy.largest_neighbour, static_cast<double>(device.max_allocation));
  for (auto& group : groups) {
    std::erase_if(group, [&](const Problem& neighbour) {
      return work_of(neighbour).bytes > maximum ||
             seconds * work_of(neighbour).flops / work_of(problem).flops > policy.longest_neighbour;
    });
  }
  return groups;
}

std::vector<Neighbour> measure_neighbours(Evaluator& evaluator, const Neighbourhood& groups,
                                          std::size_t winner, std::size_t standard, double deadline,
                                          const Policy& policy) {
  std::vector<Neighbour> neighbours;
  bool is_slower = false;
  for (const auto& group : groups) {
    for (const Problem& problem : group) {
      const auto pair = run_rounds(evaluator, problem, {standard, winner}, policy.neighbour_rounds,
                                   {deadline, deadline}, policy);
      const Contender &standards = pair[0], &winners = pair[1];
      if (standards.failed || winners.failed || winners.times.size() < policy.min_neighbour_rounds)
        return neighbours;
      const Ratio to_default = ratio(winners, standards, policy);
      neighbours.push_back({problem, to_default.middle, to_default.lower, to_default.upper});
      is_slower = is_slower || to_default.middle > 1;
    }
    if (is_slower) break;
  }
  return neighbours;
}

}  // namespace tessera::inline v0::tuning
