// Numbers generated on the device, and outputs poisoned and scanned there.
#include "reference/generated.hpp"

#include <algorithm>
#include <concepts>

#include "operands/element.hpp"
#include "reference/output.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::reference {
namespace {

/// Enough work-items for any device, each of which processes as many elements as needed.
runtime::Grid grid_of(const DeviceInfo& device, std::size_t count) {
  const std::size_t group = std::min<std::size_t>(64, device.max_work_group);
  return {{std::clamp<std::size_t>((count + group - 1) / group, 1, 16384), 1}, {group, 1}};
}

template <Element T>
std::shared_ptr<runtime::Program> program(runtime::Stream& stream, const std::string& name) {
  return stream.context().programs().get({"common/element.cl", "operands/" + name + ".cl"},
                                         operands::element_option(operands::kElementType<T>));
}

template <Element T>
runtime::Value number_of(double value) {
  if constexpr (std::is_same_v<T, double>) return runtime::value_of(value);
  if constexpr (std::integral<T>) return runtime::value_of(static_cast<std::uint32_t>(value));
  return runtime::value_of(static_cast<float>(value));
}

}  // namespace

template <Element T>
Matrix<T> Generated<T>::matrix(const Engine& engine, std::size_t rows, std::size_t columns) const {
  Matrix<T> made(engine, rows, columns);
  const std::size_t count = rows * columns;
  if (count == 0) return made;
  runtime::with_opencl_errors([&] { fill(engine, made, count); });
  return made;
}

template <Element T>
void Generated<T>::fill(const Engine& engine, Matrix<T>& made, std::size_t count) const {
  runtime::Memory& memory = *made.view().layout().memory;
  runtime::Stream& stream = *engine.stream();
  const auto filling = program<T>(stream, "fill");
  runtime::Submission submission(stream, {{&memory, runtime::Access::write}});
  submission.launch(filling->kernel("operands_fill"), grid_of(engine.device(), count),
                    cl_ulong{seed_}, cl_ulong{count}, cl_long{low_}, cl_uint{shift_},
                    number_of<T>(scale_), memory.buffer());
  submission.finish();
}

template <Element T>
void Output<T>::poison() {
  const MatrixLayout layout = device_.view().layout();
  runtime::Submission submission(*layout.stream, {{layout.memory.get(), runtime::Access::write}});
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        // The pattern has a type that every C++ compiler has.
        using Bits = std::conditional_t<sizeof(T) == 8, cl_ulong,
                                        std::conditional_t<sizeof(T) == 4, cl_uint, cl_ushort>>;
        queue.enqueueFillBuffer(layout.memory->buffer(), std::bit_cast<Bits>(kPoison), 0,
                                layout.rows * layout.columns * sizeof(T), nullptr, event);
      },
      "poisoning an output");
  submission.finish();
}

template <Element T>
std::size_t Output<T>::unwritten() {
  return runtime::with_opencl_errors([&] { return count_unwritten(); });
}

template <Element T>
std::size_t Output<T>::count_unwritten() {
  const MatrixLayout layout = device_.view().layout();
  const Engine engine = device_.engine();
  Matrix<std::int32_t> found(engine, {{0}});
  const std::size_t count = rows_ * columns_;
  const auto counting = program<T>(*layout.stream, "count_unwritten");
  {
    runtime::Memory& counter = *found.view().layout().memory;
    runtime::Submission submission(*layout.stream, {{layout.memory.get(), runtime::Access::read},
                                                    {&counter, runtime::Access::write}});
    submission.launch(counting->kernel("operands_count_unwritten"), grid_of(engine.device(), count),
                      cl_ulong{before_ * columns_}, cl_ulong{count}, kIntegerPoison,
                      layout.memory->buffer(), counter.buffer());
    submission.finish();
  }
  return static_cast<std::uint32_t>(found.to_host()[0]);
}

template class Generated<float>;
template class Generated<double>;
template class Generated<half>;
template class Generated<std::int32_t>;
template class Generated<std::int8_t>;
template class Output<float>;
template class Output<double>;
template class Output<half>;
template class Output<std::int32_t>;

}  // namespace tessera::inline v0::reference
