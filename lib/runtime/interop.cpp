// Interop: wrapping the application's OpenCL objects, and exposing the library's.
#include "tessera/interop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/environment.hpp"
#include "runtime/event_state.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0 {
namespace {

using detail::Access;
using runtime::check;
using runtime::with_opencl_errors;

// Queries the C API: CLHPP releases a handle that it got but could not retain.
template <class T>
T info(cl_mem buffer, cl_mem_info question) {
  T answer{};
  check(clGetMemObjectInfo(buffer, question, sizeof answer, &answer, nullptr),
        "clGetMemObjectInfo");
  return answer;
}
template <class T>
T info(cl_command_queue queue, cl_command_queue_info question) {
  T answer{};
  check(clGetCommandQueueInfo(queue, question, sizeof answer, &answer, nullptr),
        "clGetCommandQueueInfo");
  return answer;
}

/// The device's selector, empty if the device is not listed: an application may have created a
/// sub-device.
std::string selector_of(const cl::Device& device) {
  for (const auto& known : runtime::list_devices()) {
    if (known.handle() == device()) return known.info.selector;
  }
  return {};
}

std::shared_ptr<runtime::Context> adopt_context(const cl::Context& context,
                                                const cl::Device& device, bool profiling) {
  const auto members = context.getInfo<CL_CONTEXT_DEVICES>();
  if (std::ranges::none_of(members,
                           [&](const cl::Device& member) { return member() == device(); })) {
    throw ArgumentError(ErrorCode::wrong_context, "adopt: the device is not one of the context's");
  }
  return std::make_shared<runtime::Context>(runtime::describe(device, selector_of(device)), context,
                                            profiling, runtime::environment("TESSERA_PROFILE"));
}

/// A buffer, with its parent and its offset there if it is a sub-buffer.
std::shared_ptr<runtime::Memory> adopt_memory(runtime::Context& context, cl_mem buffer) {
  const auto parent = info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
  const auto origin = info<std::size_t>(buffer, CL_MEM_OFFSET);
  const auto flags = info<cl_mem_flags>(buffer, CL_MEM_FLAGS);
  const cl_mem root = parent != nullptr ? parent : buffer;
  return std::make_shared<runtime::Memory>(cl::Buffer(buffer, true), root, origin,
                                           context.uses_of(root), (flags & CL_MEM_READ_ONLY) != 0);
}

/// The properties of an in-order queue; throws ArgumentError for an out-of-order one.
cl_command_queue_properties in_order_properties(cl_command_queue queue) {
  const auto properties = info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES);
  if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
    throw ArgumentError(ErrorCode::unsupported_queue,
                        "adopt: the queue is out-of-order; a stream needs an in-order queue");
  }
  return properties;
}

/// Throws unless `rows` x `columns` elements of a buffer from `offset` on are inside it.
void require_inside(cl_mem buffer, std::size_t element_size, std::size_t offset, std::size_t rows,
                    std::size_t columns, std::size_t leading_dimension) {
  if (leading_dimension < columns) {
    throw MatrixError(
        ErrorCode::overlapping,
        fmt::format("adopt: rows of {} elements cannot be {} apart", columns, leading_dimension));
  }
  const std::size_t elements = info<std::size_t>(buffer, CL_MEM_SIZE) / element_size;
  const bool empty = rows == 0 || columns == 0;
  const bool fits =
      offset <= elements &&
      (empty ||
       (columns <= elements - offset &&
        (leading_dimension == 0 || rows - 1 <= (elements - offset - columns) / leading_dimension)));
  if (!fits) {
    throw MatrixError(
        ErrorCode::out_of_bounds,
        fmt::format("adopt: {} x {} elements, {} apart, from {} on do not fit in a buffer of {}",
                    rows, columns, leading_dimension, offset, elements));
  }
}

}  // namespace

detail::Operand detail::adopt(const Stream& stream, cl_mem buffer, ElementType type,
                              std::size_t offset, std::size_t rows, std::size_t columns,
                              std::size_t leading_dimension) {
  return with_opencl_errors(
      [&] {
        if (info<cl_context>(buffer, CL_MEM_CONTEXT) !=
            runtime::stream_of(stream).context().handle()()) {
          throw ArgumentError(ErrorCode::wrong_context,
                              "adopt: the buffer belongs to another context than the engine's");
        }
        if (info<cl_mem_object_type>(buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER) {
          throw MatrixError(ErrorCode::unsupported_buffer, "adopt: this is an image, not a buffer");
        }
        require_inside(buffer, element_size(type), offset, rows, columns, leading_dimension);
        return Operand{adopt_memory(runtime::stream_of(stream).context(), buffer),
                       Access::state(stream),
                       offset,
                       rows,
                       columns,
                       leading_dimension,
                       type};
      },
      [] { return std::string("adopting a buffer"); });
}

cl_mem detail::buffer(const Operand& operand) {
  if (operand.memory == nullptr)
    throw MatrixError(
        ErrorCode::moved_from,
        "buffer: the matrix has no memory: it is default-constructed or was moved from");
  return operand.memory->buffer()();
}

Engine interop::adopt(cl_context context, cl_device_id device) {
  return with_opencl_errors(
      [&] {
        return Access::make<Engine>(
            adopt_context(cl::Context(context, true), cl::Device(device, true), false));
      },
      [] { return std::string("adopting a context"); });
}

Engine interop::adopt(cl_command_queue queue) {
  return with_opencl_errors(
      [&] {
        const auto properties = in_order_properties(queue);
        const cl::Context context(info<cl_context>(queue, CL_QUEUE_CONTEXT), true);
        const cl::Device device(info<cl_device_id>(queue, CL_QUEUE_DEVICE), true);
        const auto adopted =
            adopt_context(context, device, (properties & CL_QUEUE_PROFILING_ENABLE) != 0);
        runtime::own_stream(adopted, cl::CommandQueue(queue, true));
        return Access::make<Engine>(adopted);
      },
      [] { return std::string("adopting a queue"); });
}

Stream interop::adopt(const Engine& engine, cl_command_queue queue) {
  return with_opencl_errors(
      [&] {
        in_order_properties(queue);
        if (info<cl_context>(queue, CL_QUEUE_CONTEXT) != interop::context(engine) ||
            info<cl_device_id>(queue, CL_QUEUE_DEVICE) != interop::device(engine)) {
          throw ArgumentError(ErrorCode::wrong_context,
                              "adopt: the queue is of another context or device than the engine");
        }
        return Access::make<Stream>(
            runtime::open_stream(runtime::stream_of(engine).context().shared_from_this(),
                                 cl::CommandQueue(queue, true)));
      },
      [] { return std::string("adopting a queue"); });
}

Event interop::event(cl_event event) { return runtime::event_of(event); }
cl_event interop::handle(const Event& event) {
  return runtime::with_opencl_errors([&] { return runtime::handle_of(event); });
}

cl_context interop::context(const Engine& engine) {
  return runtime::stream_of(engine).context().handle()();
}
cl_device_id interop::device(const Engine& engine) {
  return runtime::stream_of(engine).context().device().handle();
}
cl_command_queue interop::queue(const Stream& stream) {
  runtime::Queue& queue = runtime::stream_of(stream).commands();
  return runtime::with_opencl_errors([&] {
    const std::lock_guard lock(queue.enqueueing());
    queue.end_privacy();
    queue.mark();
    return queue.handle()();
  });
}

}  // namespace tessera::inline v0
