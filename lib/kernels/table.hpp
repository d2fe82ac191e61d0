// Table: an operation's variants, each with how it is enqueued.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/plan.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::kernels {

/// A variant, and the commands that run it on a problem of its operation. What the row and its
/// parameters cannot do it refuses with UnsupportedError before it enqueues anything.
template <class Problem>
struct Row {
  Variant kernel;
  void (*enqueue)(const Plan& plan, const Problem& problem, runtime::Submission& submission);
};

/// The names of variants to try where the caller names none, the first to be preferred.
using Preference = std::vector<std::string> (*)(const DeviceInfo& device);

template <class Problem>
class Table {
 public:
  Table(std::string operation, std::vector<ElementType> types, std::vector<Row<Problem>> rows,
        Preference preference)
      : rows_(std::move(rows)) {
    operation_.name = std::move(operation);
    operation_.types = std::move(types);
    operation_.preference = preference;
    for (Row<Problem>& row : rows_) {
      row.kernel.operation = operation_.name;
      operation_.variants.push_back(&row.kernel);
    }
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const Operation& operation() const { return operation_; }

  /// Enqueues a plan that was made for this operation.
  void enqueue(const Plan& plan, const Problem& problem, runtime::Submission& submission) const {
    const auto row =
        std::ranges::find(rows_, plan.variant, [](const Row<Problem>& r) { return &r.kernel; });
    row->enqueue(plan, problem, submission);
  }

 private:
  std::vector<Row<Problem>> rows_;
  Operation operation_;
};

}  // namespace tessera::inline v0::kernels
