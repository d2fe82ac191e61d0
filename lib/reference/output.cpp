// Outputs poisoned and scanned on the device.
#include "reference/output.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "operands/numbers.hpp"
#include "reference/device_program.hpp"
#include "reference/guarded.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/submission.hpp"
#include "tessera/matrix.hpp"

namespace tessera::inline v0::reference {
namespace {

constexpr std::size_t kGuard = 256;  // minimum elements of a zone

std::size_t rows_of_zone(std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  return (kGuard + columns - 1) / columns;
}

/// The bytes of a poisoned element, or of each part of one.
std::vector<std::byte> poison_bytes(ElementType type) {
  return operands::elements_of(type, std::array{reference::poison(type)});
}

template <class Pattern>
void fill(const cl::CommandQueue& queue, const detail::Operand& operand,
          const std::vector<std::byte>& pattern, cl::Event* event) {
  Pattern value;
  std::memcpy(&value, pattern.data(), sizeof value);
  queue.enqueueFillBuffer(operand.memory->buffer(), value, 0,
                          operand.stored_rows * operand.stored_columns * element_size(operand.type),
                          nullptr, event);
}

std::vector<std::byte> bytes_of(const detail::Operand& operand) {
  std::vector<std::byte> bytes(operand.rows() * operand.columns() * element_size(operand.type));
  detail::to_host(operand, detail::rows_for(operand, bytes.data()));
  return bytes;
}

}  // namespace

Output::Output(const Engine& engine, ElementType type, std::size_t rows, std::size_t columns,
               bool from_start)
    : rows_(rows),
      behind_(rows_of_zone(columns)),
      before_(from_start ? 0 : behind_),
      device_(detail::allocate(engine.stream(), type, before_ + rows + behind_, columns)) {}

runtime::MatrixSize Output::size(ElementType type, std::size_t rows, std::size_t columns,
                                 bool from_start) {
  return {rows + (from_start ? 1 : 2) * rows_of_zone(columns), columns, element_size(type)};
}

detail::Operand Output::rows_from(std::size_t row, std::size_t rows) const {
  return detail::block(device_, row, 0, rows, device_.stored_columns);
}

void Output::poison() {
  const auto pattern = poison_bytes(device_.type);
  runtime::Submission submission(*device_.stream, {{device_.memory.get(), runtime::Access::write}});
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        // The pattern has a type that every C++ compiler has.
        if (pattern.size() == 8) return fill<cl_ulong>(queue, device_, pattern, event);
        if (pattern.size() == 4) return fill<cl_uint>(queue, device_, pattern, event);
        fill<cl_ushort>(queue, device_, pattern, event);
      },
      "poisoning an output");
  submission.finish();
}

std::size_t Output::unwritten() const {
  return runtime::with_opencl_errors([&] { return count_unwritten(); });
}

std::size_t Output::count_unwritten() const {
  const Engine engine(detail::Access::make<Stream>(device_.stream));
  Matrix<std::int32_t> found(engine, {{0}});
  const std::size_t parts = operands::parts_of(device_.type),
                    columns = device_.stored_columns * parts, count = rows_ * columns;
  const auto counting = device_program(*device_.stream, "count_unwritten", device_.type);
  {
    runtime::Memory& counter = *detail::operand(found).memory;
    runtime::Submission submission(*device_.stream, {{device_.memory.get(), runtime::Access::read},
                                                     {&counter, runtime::Access::write}});
    const auto poisoned = static_cast<std::uint32_t>(reference::poison(ElementType::int32));
    submission.launch(counting->kernel("operands_count_unwritten"), grid_of(engine.device(), count),
                      cl_ulong{before_ * columns}, cl_ulong{count}, poisoned,
                      device_.memory->buffer(), counter.buffer());
    submission.finish();
  }
  return (static_cast<std::uint32_t>(found.to_host()[0]) + parts - 1) / parts;
}

std::vector<double> Output::row(std::size_t index) const {
  return operands::numbers_of(rows_from(before_ + index, 1));
}

std::vector<double> Output::elements() const { return operands::numbers_of(operand()); }

bool Output::guards_intact() const {
  return intact(0, before_) && intact(before_ + rows_, behind_);
}

bool Output::intact(std::size_t row, std::size_t rows) const {
  const auto pattern = poison_bytes(device_.type), zone = bytes_of(rows_from(row, rows));
  // Bit by bit, as a NaN equals nothing.
  for (std::size_t i = 0; i < zone.size(); i++) {
    if (zone[i] != pattern[i % pattern.size()]) return false;
  }
  return true;
}

}  // namespace tessera::inline v0::reference
