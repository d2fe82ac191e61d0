// Trial: the operands of an operation and the results that they must give, described once. The
// check of its kernels and its workload for a tuner follow from it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "kernels/operation.hpp"
#include "reference/bound.hpp"
#include "tessera/detail/operand.hpp"

namespace tessera::inline v0::kernels {

enum class Role { input, output, updated };

struct TrialOperand {
  ElementType type;
  std::size_t rows, columns;
  Role role = Role::input;
  /// The numbers before a run, of an input or an updated operand. Empty: any.
  std::vector<double> values = {};
  bool contiguous = false;
  /// The operand in whose place an output may be written; every other check does.
  std::optional<std::size_t> may_replace = {};
};

// Numbers of an operand are its elements, or, if they are complex, their parts, the real one first.

/// A number of an operand before a run, from the operand's place in the list and the number's
/// row-major index.
using Before = std::function<double(std::size_t operand, std::size_t index)>;
/// The trial calls it with the value that a number must have after a run.
using Expect =
    std::function<void(std::size_t operand, std::size_t index, const reference::Bounded& right)>;

struct Trial {
  std::vector<TrialOperand> (*operands)(const Problem& problem, std::mt19937_64& random);
  KernelRun (*run)(const SharedPlan& plan, const Problem& problem,
                   std::span<const detail::Operand> operands);
  /// The elements of the outputs in these rows; all elements of an output with fewer rows.
  void (*expected)(const Problem& problem, const Before& before, std::span<const std::size_t> rows,
                   const Expect& expect);
};

/// Gives a row its check, in guard zones and with every element compared, and its workload.
void set_trial(Operation& operation, const Trial& trial);

}  // namespace tessera::inline v0::kernels
