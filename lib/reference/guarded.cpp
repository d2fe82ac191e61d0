// Poisoned memory with matrices inside.
#include "reference/guarded.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "operands/numbers.hpp"

namespace tessera::inline v0::reference {

double poison(ElementType type) {
  return operands::is_integer(type) ? operands::rounded(type, 0x5eed5eed)
                                    : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> random_elements(ElementType type, std::size_t count, std::mt19937_64& random) {
  auto elements = uniform_elements(type, count, random, -1, 1);
  if (operands::is_integer(type)) return elements;
  for (double& element : elements) element = static_cast<float>(element);
  return elements;
}

std::vector<double> uniform_elements(ElementType type, std::size_t count, std::mt19937_64& random,
                                     double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> elements(count);
  for (double& element : elements) {
    element = operands::rounded(
        type, operands::is_integer(type) ? static_cast<std::int32_t>(random()) : uniform(random));
  }
  return elements;
}

Guarded::Guarded(const Engine& engine, ElementType type, std::size_t rows, std::size_t columns,
                 bool strided, const std::vector<double>& elements, std::size_t count)
    : rows_(rows),
      columns_(columns),
      count_(count),
      left_(strided ? 3 : 0),
      step_(rows + (strided && count > 1 ? 1 : 0)),
      above_(0) {
  const std::size_t wide = columns + (strided ? 8 : 0);
  above_ = wide == 0 ? 0 : (64 + wide - 1) / wide;
  device_ = detail::allocate(engine.stream(), type, count * step_ + 2 * above_, wide);
  const std::size_t parts = operands::parts_of(type), of_row = columns_ * parts;
  std::vector<double> all(device_.stored_rows * wide * parts, poison(type));
  for (std::size_t i = 0; i < count_ * rows_; i++)
    std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>(i * of_row), of_row,
                all.begin() + static_cast<std::ptrdiff_t>(start_of(i) * parts));
  initial_ = operands::elements_of(type, all);
  detail::upload(device_, detail::rows_for(device_, std::as_const(initial_).data()));
}

std::size_t Guarded::start_of(std::size_t i) const {
  return (above_ + i / rows_ * step_ + i % rows_) * width() + left_;
}

std::vector<std::byte> Guarded::bytes() const {
  std::vector<std::byte> now(initial_.size());
  detail::to_host(device_, detail::rows_for(device_, now.data()));
  return now;
}

detail::Batch Guarded::batch() const {
  return {detail::block(device_, above_, left_, count_ == 0 ? 0 : rows_, columns_), count_,
          step_ * width()};
}

std::vector<double> Guarded::inside() const {
  const auto all = operands::numbers_of(device_.type, bytes());
  const std::size_t parts = operands::parts_of(device_.type), of_row = columns_ * parts;
  std::vector<double> elements(count_ * rows_ * of_row);
  for (std::size_t i = 0; i < count_ * rows_; i++)
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(start_of(i) * parts), of_row,
                elements.begin() + static_cast<std::ptrdiff_t>(i * of_row));
  return elements;
}

bool Guarded::intact() const {
  auto now = bytes();
  const std::size_t size = element_size(device_.type);
  for (std::size_t i = 0; i < count_ * rows_; i++) {
    const auto begin = static_cast<std::ptrdiff_t>(start_of(i) * size);
    std::copy_n(initial_.begin() + begin, columns_ * size, now.begin() + begin);
  }
  return now == initial_;
}

}  // namespace tessera::inline v0::reference
