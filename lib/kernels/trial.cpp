// A trial's operands between guard zones for a check, and generated on the device for a tuner.
#include "kernels/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "operands/numbers.hpp"
#include "reference/generated.hpp"
#include "reference/guarded.hpp"
#include "reference/judge.hpp"
#include "reference/output.hpp"
#include "reference/sample.hpp"

namespace tessera::inline v0::kernels {
namespace {

using reference::Bounded, reference::Generated, reference::Guarded, reference::kOutsideWritten,
    reference::Output;

/// Numbers of a row: a complex element is two.
std::size_t width(const TrialOperand& operand) {
  return operand.columns * operands::parts_of(operand.type);
}
std::size_t count(const TrialOperand& operand) { return operand.rows * width(operand); }

std::vector<std::size_t> all_rows(const std::vector<TrialOperand>& operands) {
  std::size_t most = 0;
  for (const TrialOperand& operand : operands) most = std::max(most, operand.rows);
  std::vector<std::size_t> rows(most);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

CheckResult check(const Trial& trial, const Engine& engine, const CheckCase& check_case,
                  const SharedPlan& plan) {
  const Problem& problem = check_case.problem;
  std::mt19937_64 random(check_case.seed);
  auto operands = trial.operands(problem, random);
  std::list<Guarded> guarded;
  std::vector<const Guarded*> used;
  for (TrialOperand& operand : operands) {
    if (operand.role == Role::output)
      operand.values.assign(count(operand), reference::poison(operand.type));
    if (operand.values.empty())
      operand.values = reference::uniform_elements(operand.type, count(operand), random);
    guarded.emplace_back(engine, operand.type, operand.rows, operand.columns,
                         check_case.strided && !operand.contiguous, operand.values);
    used.push_back(&guarded.back());
  }
  if (check_case.seed % 2 == 0) {
    for (std::size_t i = 0; i < operands.size(); i++)
      used[i] = used[operands[i].may_replace.value_or(i)];
  }
  std::vector<detail::Operand> on_device;
  for (const Guarded* one : used) on_device.push_back(one->operand());
  KernelRun ran = trial.run(plan, problem, on_device);

  std::vector<std::vector<double>> after;
  for (const Guarded* one : used) after.push_back(one->inside());
  reference::Judge judge;
  trial.expected(
      problem,
      [&](std::size_t operand, std::size_t index) { return operands[operand].values[index]; },
      all_rows(operands),
      [&](std::size_t operand, std::size_t index, const Bounded& right) {
        judge.compare(after[operand][index], right);
      });
  for (const Guarded& one : guarded) judge.expect(one.intact(), kOutsideWritten);
  return judge.finish(std::move(ran));
}

/// An operand on the device, for a tuner.
struct Prepared {
  TrialOperand description;
  Generated numbers;  ///< of a large input
  std::unique_ptr<Output> output = {};
  detail::Operand device = {};

  Prepared(const Engine& engine, TrialOperand operand, std::uint64_t seed)
      : description(std::move(operand)), numbers(description.type, seed) {
    const auto& [type, rows, columns, role, values, contiguous, may_replace] = description;
    if (role != Role::input) {
      output = std::make_unique<Output>(engine, type, rows, columns);
      device = output->operand();
    } else if (values.empty()) {
      device = numbers.matrix(engine, rows, columns);
    } else {
      device = operands::matrix_of(engine.stream(), type, rows, columns, values);
    }
  }

  double before(std::size_t index) const {
    return description.values.empty() ? numbers[index] : description.values[index];
  }
  void poison() const {
    if (output) output->poison();
    if (description.role == Role::updated) operands::upload(device, description.values);
  }
};

/// Elements of an output after a run, read a row at a time, or all of a column at once.
class After {
 public:
  explicit After(const Prepared& of) : of_(&of) {}
  double operator[](std::size_t index) {
    const std::size_t columns = width(of_->description);
    if (of_->description.columns == 1) {
      if (elements_.empty()) elements_ = of_->output->elements();
      return elements_[index];
    }
    if (elements_.empty() || row_ != index / columns)
      elements_ = of_->output->row(row_ = index / columns);
    return elements_[index % columns];
  }

 private:
  const Prepared* of_;
  std::size_t row_ = 0;
  std::vector<double> elements_ = {};
};

class TrialWorkload : public Workload {
 public:
  TrialWorkload(const Trial& trial, const Engine& engine, const Problem& problem,
                std::uint64_t seed)
      : trial_(trial), problem_(problem) {
    std::mt19937_64 random(seed);
    auto operands = trial.operands(problem, random);
    rows_ = all_rows(operands);
    for (TrialOperand& operand : operands) {
      if (operand.columns > 1) rows_ = sampled_rows(operand, seed);
      operands_.emplace_back(engine, std::move(operand), seed + operands_.size());
      on_device_.push_back(operands_.back().device);
    }
  }

  KernelRun run(const SharedPlan& plan) override { return trial_.run(plan, problem_, on_device_); }
  void poison() override {
    for (const Prepared& operand : operands_) operand.poison();
  }

  std::string compare() override {
    std::vector<After> after;
    for (const Prepared& operand : operands_) {
      if (auto wrong = not_written(operand); !wrong.empty()) return wrong;
      after.emplace_back(operand);
    }
    std::string wrong;
    trial_.expected(
        problem_,
        [&](std::size_t operand, std::size_t index) { return operands_[operand].before(index); },
        rows_,
        [&](std::size_t operand, std::size_t index, const Bounded& right) {
          if (!wrong.empty()) return;
          const double value = after[operand][index];
          if (std::fabs(value - right.value) <= right.bound) return;
          const TrialOperand& of = operands_[operand].description;
          const std::size_t parts = operands::parts_of(of.type), column = index % width(of);
          wrong = fmt::format("element ({}, {}){} is {} instead of {}, error bound {:.3g}",
                              index / width(of), column / parts,
                              column % parts == 1 ? ", imaginary part," : "", value, right.value,
                              right.bound);
        });
    if (!wrong.empty()) return wrong;
    for (const Prepared& operand : operands_) {
      if (operand.output && !operand.output->guards_intact()) return kOutsideWritten;
    }
    return "";
  }

 private:
  static std::vector<std::size_t> sampled_rows(const TrialOperand& matrix, std::uint64_t seed) {
    constexpr double kElements = 0x1p22;  // the host checks them in some milliseconds
    const double rows = std::max(8.0, kElements / static_cast<double>(matrix.columns));
    return reference::sample(matrix.rows, static_cast<std::size_t>(rows), seed);
  }

  static std::string not_written(const Prepared& operand) {
    if (operand.description.role != Role::output) return "";
    // A correct integer may equal the poison by chance: tolerate as many as are likely.
    const std::size_t all = operand.description.rows * operand.description.columns;
    const std::size_t by_chance = operands::is_integer(operand.description.type) ? all >> 22 : 0;
    const std::size_t unwritten = operand.output->unwritten();
    if (unwritten <= by_chance) return "";
    return fmt::format("{} of {} elements were not written, or are NaN", unwritten, all);
  }

  const Trial& trial_;
  Problem problem_;
  std::vector<std::size_t> rows_;
  std::vector<Prepared> operands_;
  std::vector<detail::Operand> on_device_;
};

std::vector<runtime::MatrixSize> matrices(const Trial& trial, const Problem& problem) {
  std::mt19937_64 random;
  std::vector<runtime::MatrixSize> all;
  for (const TrialOperand& of : trial.operands(problem, random)) {
    all.push_back(of.role == Role::input
                      ? runtime::MatrixSize{of.rows, of.columns, element_size(of.type)}
                      : Output::size(of.type, of.rows, of.columns));
  }
  return all;
}

}  // namespace

void set_trial(Operation& operation, const Trial& trial) {
  operation.check = [&trial](const Engine& engine, const CheckCase& check_case,
                             const SharedPlan& plan) {
    return check(trial, engine, check_case, plan);
  };
  operation.workload = [&trial](const Engine& engine, const Problem& problem, std::uint64_t seed) {
    return std::make_unique<TrialWorkload>(trial, engine, problem, seed);
  };
  operation.workload_matrices = [&trial](const Problem& problem) {
    return matrices(trial, problem);
  };
}

}  // namespace tessera::inline v0::kernels
