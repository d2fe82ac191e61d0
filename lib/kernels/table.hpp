// Table: an operation's variants, each with the function that enqueues it.
#pragma once

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
using Enqueue = void (*)(const Plan& plan, const Call& call, runtime::Submission& submission);

/// Enqueues a call of the operation that the plan was made for.
template <class Call>
void enqueue(const Plan& plan, const Call& call, runtime::Submission& submission) {
  reinterpret_cast<Enqueue<Call>>(plan.variant->enqueue)(plan, call, submission);
}

template <class Call>
class Table {
 public:
  Table(Operation operation, std::vector<Row<Call>> rows)
      : rows_(std::move(rows)), operation_(std::move(operation)) {
    for (Row<Call>& row : rows_) {
      row.kernel.operation = operation_.name;
      row.kernel.enqueue = reinterpret_cast<void (*)()>(row.enqueue);
      if (row.kernel.types.empty()) row.kernel.types = operation_.types;
      operation_.variants.push_back(&row.kernel);
    }
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const Operation& operation() const { return operation_; }

  void enqueue(const Plan& plan, const Call& call, runtime::Submission& submission) const {
    kernels::enqueue(plan, call, submission);
  }

 private:
  std::vector<Row<Call>> rows_;
  Operation operation_;
};

}  // namespace tessera::inline v0::kernels
