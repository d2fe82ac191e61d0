// Streams of a context: creating them, and their memory.
#include "runtime/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "runtime/opencl_error.hpp"
#include "runtime/process.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

cl::CommandQueue new_queue(const Context& context) {
  const cl_command_queue_properties properties =
      context.profiling() ? CL_QUEUE_PROFILING_ENABLE : 0;
  return cl::CommandQueue(context.handle(), context.device().handle, properties);
}

/// A context's own stream, which the context owns.
struct OwnStream {
  std::mutex mutex;
  std::optional<Stream> stream;
};

/// Any other stream, with the context that it keeps alive.
struct OpenStream {
  template <class Kind>
  OpenStream(std::shared_ptr<Context> on, Kind kind)
      : context(std::move(on)), stream(*context, std::move(kind)) {}

  std::shared_ptr<Context> context;
  Stream stream;
};

/// A matrix without elements has memory too, so that kernels always have a buffer to be passed.
constexpr std::uint64_t kFewestBytes = 64;

}  // namespace

Stream::Stream(Context& context, Reports reports)
    : context_(&context),
      reports_(reports),
      id_(context.new_stream_id()),
      queue_(reports == Reports::all ? context.add_queue(new_queue(context))
                                     : std::make_shared<Queue>(new_queue(context))) {
  choose_events();
}

Stream::Stream(Context& context, cl::CommandQueue queue)
    : context_(&context),
      id_(context.new_stream_id()),
      queue_(context.add_queue(std::move(queue))) {
  queue_->end_privacy();
  choose_events();
}

void Stream::choose_events() {
  const bool has_times = (queue().getInfo<CL_QUEUE_PROPERTIES>() & CL_QUEUE_PROFILING_ENABLE) != 0;
  if (!has_times && fails_as_a_whole(context_->device().info)) queue_->let_kernels_lack_events();
}

std::shared_ptr<Memory> Stream::allocate(std::uint64_t bytes, const std::string& what) {
  check_process();
  bytes = std::max(bytes, kFewestBytes);
  return with_opencl_errors(
      [&] {
        context_->scratch().make_room(bytes, queue());
        auto reservation = context_->budget().reserve(bytes, what);
        cl::Buffer buffer(context_->handle(), CL_MEM_READ_WRITE, bytes);
        reservation = release_with(buffer(), std::move(reservation));
        return std::make_shared<Memory>(std::move(buffer), std::move(reservation));
      },
      [&] { return fmt::format("allocating {} bytes for {}", bytes, what); });
}

void Stream::check_room(const std::vector<MatrixSize>& matrices) {
  std::vector<std::unique_ptr<MemoryBudget::Reservation>> reserved;
  for (const auto& [rows, columns, element_bytes] : matrices) {
    const std::string what = matrix_text(rows, columns);
    const std::uint64_t bytes =
        std::max<std::uint64_t>(bytes_of(rows, columns, element_bytes), kFewestBytes);
    with_opencl_errors([&] { context_->scratch().make_room(bytes, queue()); },
                       [&] { return "making room for " + what; });
    reserved.push_back(context_->budget().reserve(bytes, what));
  }
}

cl::Buffer Stream::scratch(std::uint64_t bytes, const std::string& what,
                           ScratchPool::Holder holder) {
  return with_opencl_errors(
      [&] {
        return context_->scratch().buffer({id_, queue(), holder}, bytes, what);
      },
      [&] { return "scratch memory for " + what; });
}

cl::Image2D Stream::scratch_image(cl::ImageFormat format, std::size_t width, std::size_t height,
                                  const std::string& what) {
  return with_opencl_errors(
      [&] {
        return context_->scratch().image({id_, queue()}, format, width, height, what);
      },
      [&] { return fmt::format("a scratch image of {} x {} pixels for {}", width, height, what); });
}

const cl::Buffer& Stream::counters() {
  // A kernel that failed half-way has left them as they were.
  if (queue_->broke_off()) counters_ = cl::Buffer();
  if (counters_() == nullptr) {
    std::array<cl_uint, kCounters> zeros = {};
    with_opencl_errors(
        [&] {
          counters_ = cl::Buffer(context_->handle(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 sizeof zeros, zeros.data());
        },
        [] { return std::string("allocating a stream's counters"); });
  }
  return counters_;
}

std::shared_ptr<Stream> open_stream(std::shared_ptr<Context> context, Reports reports) {
  auto open = std::make_shared<OpenStream>(std::move(context), reports);
  Stream* const stream = &open->stream;
  return {std::move(open), stream};
}

std::shared_ptr<Stream> open_stream(std::shared_ptr<Context> context, cl::CommandQueue queue) {
  auto open = std::make_shared<OpenStream>(std::move(context), std::move(queue));
  Stream* const stream = &open->stream;
  return {std::move(open), stream};
}

std::shared_ptr<Stream> own_stream(const std::shared_ptr<Context>& context,
                                   const cl::CommandQueue& queue) {
  auto& own = context->extension<OwnStream>();
  const std::lock_guard lock(own.mutex);
  if (own.stream) return {context, &*own.stream};
  if (queue() != nullptr)
    own.stream.emplace(*context, queue);
  else
    own.stream.emplace(*context);
  return {context, &*own.stream};
}

Stream& stream_for(const char* operation, const std::optional<tessera::Stream>& named,
                   Stream& of_output) {
  if (!named) return of_output;
  if (&stream_of(*named).context() != &of_output.context()) {
    throw ArgumentError(
        ErrorCode::wrong_context,
        fmt::format("{}: the stream is of another context than the output's", operation));
  }
  return stream_of(*named);
}

}  // namespace tessera::inline v0::runtime
