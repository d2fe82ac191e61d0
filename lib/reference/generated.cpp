// Numbers generated on the device and on the host.
#include "reference/generated.hpp"

#include "operands/numbers.hpp"
#include "reference/device_program.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::reference {
namespace {

/// Bits of a number's significand.
int digits(ElementType type) {
  switch (operands::part_type(type)) {
    case ElementType::float64: return 53;
    case ElementType::float16: return 11;
    case ElementType::bfloat16: return 8;
    default: return 24;
  }
}

}  // namespace

Generated::Generated(ElementType type, std::uint64_t seed, Range range)
    : type_(type), seed_(hash(seed, 0)) {
  if (operands::is_integer(type)) return;
  const bool is_positive = range == Range::positive;
  const int bits = digits(type) - (is_positive ? 1 : 0);
  low_ = is_positive ? std::int64_t{1} << (bits - 3) : -(std::int64_t{1} << (bits - 1));
  shift_ = 64U - static_cast<unsigned>(bits);
  scale_ = 1.0 / static_cast<double>(std::int64_t{1} << (is_positive ? bits : bits - 1));
}

double Generated::operator[](std::uint64_t index) const {
  const auto number = low_ + static_cast<std::int64_t>(hash(seed_, index) >> shift_);
  return operands::rounded(type_, static_cast<double>(number) * scale_);
}

detail::Operand Generated::matrix(const Engine& engine, std::size_t rows,
                                  std::size_t columns) const {
  auto made = detail::allocate(engine.stream(), type_, rows, columns);
  const std::size_t count = rows * columns * operands::parts_of(type_);
  if (count > 0) runtime::with_opencl_errors([&] { fill(engine, made, count); });
  return made;
}

void Generated::fill(const Engine& engine, const detail::Operand& made, std::size_t count) const {
  runtime::Stream& stream = runtime::stream_of(engine);
  const auto filling = device_program(stream, "fill", type_);
  runtime::Submission submission(stream, {{made.memory.get(), runtime::Access::write}});
  submission.launch(filling->kernel("operands_fill"), grid_of(engine.device(), count),
                    cl_ulong{seed_}, cl_ulong{count}, cl_long{low_}, cl_uint{shift_},
                    operands::value_of(scale_, ProductTypes(operands::part_type(type_)).sum),
                    made.memory->buffer());
  submission.finish();
}

}  // namespace tessera::inline v0::reference
