// Table: an operation's variants, each with the function that enqueues it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/plan.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::kernels {

/// A variant, and the function that enqueues it for a call of its operation: a problem with its
/// operands. It throws UnsupportedError, before enqueueing anything, for a call that the row or its
/// parameters do not support.
template <class Call>
struct Row {
  Variant kernel;
  void (*enqueue)(const Plan& plan, const Call& call, runtime::Submission& submission);
};

template <class Call>
class Table {
 public:
  Table(Operation operation, std::vector<Row<Call>> rows)
      : rows_(std::move(rows)), operation_(std::move(operation)) {
    for (Row<Call>& row : rows_) {
      row.kernel.operation = operation_.name;
      row.kernel.types = operation_.types;
      operation_.variants.push_back(&row.kernel);
    }
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const Operation& operation() const { return operation_; }

  /// Enqueues a plan that was made for this operation.
  void enqueue(const Plan& plan, const Call& call, runtime::Submission& submission) const {
    const auto row =
        std::ranges::find(rows_, plan.variant, [](const Row<Call>& r) { return &r.kernel; });
    row->enqueue(plan, call, submission);
  }

 private:
  std::vector<Row<Call>> rows_;
  Operation operation_;
};

}  // namespace tessera::inline v0::kernels
